import type { Instrument } from '../../domain/instrument.ts';
import { isWire, readNumber, readRate, readText, type Wire } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { asHours, type RatePerInterval } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { errorText } from '../error-text.ts';

/** One market of `orderBookDetails`. Amounts of a day and open interest are JSON numbers, in base units. */
export interface WireMarket {
  readonly symbol?: unknown;
  readonly market_id?: unknown;
  /** "perp" or "spot"; missing in replies of 2025. */
  readonly market_type?: unknown;
  /** "active" while it trades. */
  readonly status?: unknown;
  /** Percent. */
  readonly taker_fee?: unknown;
  readonly is_taker_fee_enabled?: unknown;
  readonly open_interest?: unknown;
  readonly daily_base_token_volume?: unknown;
  readonly daily_quote_token_volume?: unknown;
}

/** One market of the `market_stats` channel. Unlike REST, open interest is in USD here. */
export interface WireStats {
  /** Missing in frames of 2025. */
  readonly symbol?: unknown;
  readonly market_id?: unknown;
  readonly index_price?: unknown;
  readonly mark_price?: unknown;
  /** USD. */
  readonly open_interest?: unknown;
  /** Percent per hour, estimate of the coming payment. */
  readonly current_funding_rate?: unknown;
  /** Percent per hour, last payment. */
  readonly funding_rate?: unknown;
  /** Time of the last payment, ms. */
  readonly funding_timestamp?: unknown;
  readonly daily_base_token_volume?: unknown;
  readonly daily_quote_token_volume?: unknown;
}

/** One row of `funding-rates`. */
export interface WireRate {
  readonly market_id?: unknown;
  /** "lighter", or another exchange's name. */
  readonly exchange?: unknown;
  readonly symbol?: unknown;
  /** Fraction per eight hours. */
  readonly rate?: unknown;
}

/** One row of `fundings`. */
export interface WireFunding {
  /** Seconds. */
  readonly timestamp?: unknown;
  /** Percent per hour, without sign. */
  readonly rate?: unknown;
  /** "long": longs pay. */
  readonly direction?: unknown;
}

/** Funding is paid every hour. */
export const HOURLY = asHours(1);

/** Ids below are perpetuals, from here on spot markets. */
const FIRST_SPOT_ID = 2048;

export function isSpotId(id: unknown): boolean {
  const n = readNumber(id);
  return n !== undefined && n >= FIRST_SPOT_ID;
}

/** A rate in percent as a fraction. */
export function readPercent(x: unknown): RatePerInterval | undefined {
  return readRate(x, 0.01);
}

/** An error answer: text, null, or a `code` other than 200 (successes carry one too). */
export function errorBody(payload: unknown): Reject | undefined {
  if (payload === null) return { symbol: null, reason: 'error_body', detail: 'null' };
  if (typeof payload === 'string') {
    return { symbol: null, reason: 'error_body', detail: payload.slice(0, 120) };
  }
  if (!isWire(payload)) return undefined;
  if (isWire(payload.error)) return error(payload.error.code, payload.error.message);
  if (payload.code === undefined || readNumber(payload.code) === 200) return undefined;
  return error(payload.code, payload.message);
}

const error = (code: unknown, message: unknown): Reject => ({
  symbol: null,
  reason: 'error_body',
  detail: errorText(code, message),
});

/** A market as rows name it, and the ticker units in one of its base units. */
export interface Market {
  readonly symbol: string;
  readonly multiplier: number;
}

function listedById(id: string, instruments: ReadonlyMap<string, Instrument>): Instrument | undefined {
  for (const instrument of instruments.values()) if (instrument.altId === id) return instrument;
  return undefined;
}

/** Text of a market id as calls and channels write it; undefined when it is none. */
export function marketId(x: unknown): string | undefined {
  const n = readNumber(x);
  return n !== undefined && Number.isInteger(n) && n >= 0 && n < 1e6 ? String(n) : undefined;
}

/** Market id in a frame's channel: `1` of `order_book:1`. */
export function channelMarket(frame: Wire): string | undefined {
  return /^\w+[:/](\d+)$/.exec(readText(frame.channel) ?? '')?.[1];
}

/**
 * The market of a row that names a symbol, an id or both, or why it is left out. Where no contracts are known yet
 * a row without a symbol goes by its id.
 */
export function marketOf(symbol: unknown, id: unknown, context: DecodeContext): Market | Reject {
  const name = readText(symbol);
  const key = marketId(id);
  if (name === undefined && key === undefined) {
    return { symbol: null, reason: 'missing_field', detail: 'market_id' };
  }
  if (isSpotId(id) || name?.includes('/') === true) return { symbol: name ?? key ?? null, reason: 'spot' };
  const { instruments } = context;
  if (instruments.size > 0) {
    const listed = name === undefined ? listedById(key ?? '', instruments) : instruments.get(name);
    return listed ?? { symbol: name ?? key ?? null, reason: 'not_listed' };
  }
  if (name === undefined) return { symbol: key ?? '', multiplier: 1 };
  return { symbol: name, multiplier: baseName(name).multiplier };
}

export const isReject = (x: Market | Reject): x is Reject => 'reason' in x;

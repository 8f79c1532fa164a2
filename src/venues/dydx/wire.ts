import type { BaseName } from '../../domain/base-names.ts';
import { isWire, readText, wireArray } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { asHours } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';

/** One market of `perpetualMarkets` or of the `v4_markets` snapshot; updates carry a part of the fields. */
export interface WireMarket {
  readonly status?: unknown;
  /** USD; the venue's single price. */
  readonly oraclePrice?: unknown;
  /** Fraction per hour; may be null on new markets. */
  readonly nextFundingRate?: unknown;
  /** Base units. */
  readonly openInterest?: unknown;
  /** USD. */
  readonly volume24H?: unknown;
}

export interface WireFunding {
  readonly ticker?: unknown;
  /** Fraction per hour. */
  readonly rate?: unknown;
  readonly price?: unknown;
  /** ISO text, a fraction of a second after the hour. */
  readonly effectiveAt?: unknown;
}

export interface WireCandle {
  readonly startedAt?: unknown;
  readonly ticker?: unknown;
  /** Base units at the start of the candle. */
  readonly startingOpenInterest?: unknown;
}

/** Funding is paid every hour. */
export const HOURLY = asHours(1);

/** Why a market in this status is left out; undefined while it trades. */
export function statusReason(status: unknown): Reject['reason'] | undefined {
  if (status === 'ACTIVE') return undefined;
  if (status === 'FINAL_SETTLEMENT') return 'delisted';
  return status === 'INITIALIZING' ? 'prelisting' : 'not_trading';
}

/**
 * The base of a ticker (`BTC` of `BTC-USD`). Markets listed without permission carry more in it:
 * `NAME,RAYDIUM,ADDRESS-USD`; the dash that counts is the last one.
 */
export function baseOfTicker(ticker: string): string | undefined {
  const dash = ticker.lastIndexOf('-');
  return dash > 0 && ticker.slice(dash + 1) === 'USD' ? ticker.slice(0, dash) : undefined;
}

/** Name and multiplier behind a base: what stands before the first comma. */
export function nameOfBase(base: string): BaseName {
  return baseName(base.split(',', 1)[0] || base);
}

/**
 * Ticker units in one base unit of a market, or why its row is left out: not in USD, or not among the listed
 * contracts where these are known.
 */
export function multiplierOf(ticker: string, context: DecodeContext): number | Reject {
  const listed = context.instruments.get(ticker);
  if (listed !== undefined) return listed.multiplier;
  if (context.instruments.size > 0) return { symbol: ticker, reason: 'not_listed' };
  const base = baseOfTicker(ticker);
  return base === undefined ? { symbol: ticker, reason: 'foreign_quote' } : nameOfBase(base).multiplier;
}

/** An error answer: text, null, or `{"errors":[{"msg": …}]}`. */
export function errorBody(payload: unknown): Reject | undefined {
  if (payload === null) return { symbol: null, reason: 'error_body', detail: 'null' };
  if (typeof payload === 'string') {
    return { symbol: null, reason: 'error_body', detail: payload.slice(0, 120) };
  }
  const errors = isWire(payload) ? wireArray(payload.errors) : undefined;
  if (errors === undefined) return undefined;
  const message = isWire(errors[0]) ? readText(errors[0].msg) : undefined;
  return { symbol: null, reason: 'error_body', detail: message?.slice(0, 120) ?? 'errors' };
}

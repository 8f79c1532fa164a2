import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readPrice, readRate, readText, type Wire } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { type Presence, putOpenInterest, putVolume } from '../amounts.ts';
import { fieldFault } from '../field-fault.ts';
import { nextHour } from '../hour.ts';
import { PUBLISHED } from './published.ts';
import {
  baseOfTicker,
  errorBody,
  HOURLY,
  multiplierOf,
  nameOfBase,
  statusReason,
  type WireMarket,
} from './wire.ts';

/** `perpetualMarkets`: contracts and metrics of all markets, a map by ticker. */
export function decodeMarkets(payload: unknown, context: DecodeContext): Decoded {
  const decoded = emptyDecoded();
  const error = errorBody(payload);
  if (error !== undefined || !isWire(payload) || !isWire(payload.markets)) {
    decoded.rejects.push(error ?? { symbol: null, reason: 'unexpected_shape', detail: 'markets' });
    return decoded;
  }
  readMarkets(payload.markets, context, decoded);
  return decoded;
}

/** Whole market rows by ticker, of REST or of the socket's snapshot. */
export function readMarkets(markets: Wire, context: DecodeContext, decoded: Decoded): void {
  const next = nextHour(context.receivedAt);
  for (const ticker in markets) {
    if (ticker === '') decoded.rejects.push({ symbol: null, reason: 'malformed', detail: 'ticker' });
    else readMarket(ticker, markets[ticker], next, context, decoded);
  }
}

function readMarket(
  ticker: string,
  row: unknown,
  next: UnixMs | undefined,
  context: DecodeContext,
  decoded: Decoded,
): void {
  const instrument = readInstrument(ticker, row);
  if ('reason' in instrument || !isWire(row)) {
    if ('reason' in instrument) decoded.rejects.push(instrument);
    return;
  }
  decoded.instruments.push(instrument);
  if (context.instruments.size > 0 && !context.instruments.has(ticker)) {
    decoded.rejects.push({ symbol: ticker, reason: 'not_listed' });
    return;
  }
  const quote = readQuote(ticker, row, instrument.multiplier, decoded.rejects);
  if (quote === undefined) return;
  quote.fundingIntervalHours = HOURLY;
  if (next !== undefined) quote.nextFundingTime = next;
  decoded.quotes.push(quote);
}

function readInstrument(ticker: string, row: unknown): Instrument | Reject {
  if (!isWire(row)) return { symbol: ticker, reason: 'malformed', detail: 'market' };
  const reason = statusReason(row.status);
  if (reason !== undefined) {
    return { symbol: ticker, reason, detail: readText(row.status)?.slice(0, 40) ?? 'status' };
  }
  const base = baseOfTicker(ticker);
  if (base === undefined) return { symbol: ticker, reason: 'foreign_quote' };
  const id = readText(row.clobPairId);
  return {
    venue: 'dydx',
    symbol: ticker,
    base,
    ...nameOfBase(base),
    contractSize: 1,
    quote: 'USD',
    settle: 'USDC',
    fundingIntervalHours: HOURLY,
    ...(id === undefined ? {} : { altId: id }),
  };
}

/** Metrics of a whole row; undefined when none is readable. Unreadable fields become rejects. */
function readQuote(
  symbol: string,
  wire: WireMarket,
  multiplier: number,
  rejects: Reject[],
): QuotePatch | undefined {
  const quote: QuotePatch = { symbol };
  const read = readFields(quote, wire, multiplier, rejects, 'required');
  for (const field of FIELDS) {
    // A new market has no rate yet.
    if (field === 'nextFundingRate' && wire[field] === null) continue;
    if (!read.has(field)) rejects.push(fieldFault(symbol, field, wire[field]));
  }
  return says(quote) ? quote : undefined;
}

const says = (quote: QuotePatch): boolean => Object.keys(quote).length > 1;

const FIELDS = ['oraclePrice', 'nextFundingRate'] as const;
type Field = (typeof FIELDS)[number];

/** Reads what is there; returns which of `FIELDS` were readable. Faults of the amounts become rejects. */
function readFields(
  quote: QuotePatch,
  wire: WireMarket,
  multiplier: number,
  rejects: Reject[],
  amounts: Presence,
): Set<Field> {
  const read = new Set<Field>();
  const price = readPrice(wire.oraclePrice, multiplier);
  if (price !== undefined) {
    quote.markPrice = price;
    read.add('oraclePrice');
  }
  const rate = readRate(wire.nextFundingRate);
  if (rate !== undefined) {
    quote.fundingRate = rate;
    read.add('nextFundingRate');
  }
  const units = { multiplier, perContract: multiplier };
  const [open, volume] = [wire.openInterest ?? undefined, wire.volume24H ?? undefined];
  putOpenInterest(quote, PUBLISHED.openInterest, { base: open }, units, rejects, amounts);
  putVolume(quote, PUBLISHED.volume, { quote: volume }, units, rejects, amounts);
  return read;
}

/** Changes of markets, by ticker: `contents.trading` or `contents.oraclePrices` of `v4_markets`. */
export function readChanges(changes: unknown, context: DecodeContext, decoded: Decoded): void {
  if (!isWire(changes)) {
    decoded.rejects.push({ symbol: null, reason: 'malformed', detail: 'contents' });
    return;
  }
  for (const ticker in changes) readChange(ticker, changes[ticker], context, decoded);
}

function readChange(ticker: string, row: unknown, context: DecodeContext, decoded: Decoded): void {
  if (ticker === '' || !isWire(row)) {
    decoded.rejects.push({ symbol: ticker || null, reason: 'malformed', detail: 'market' });
    return;
  }
  const status = row.status === undefined ? undefined : statusReason(row.status);
  const multiplier = multiplierOf(ticker, context);
  if (status !== undefined || typeof multiplier !== 'number') {
    decoded.rejects.push(
      typeof multiplier === 'number' ? { symbol: ticker, reason: status ?? 'not_trading' } : multiplier,
    );
    return;
  }
  const quote: QuotePatch = { symbol: ticker };
  const read = readFields(quote, row, multiplier, decoded.rejects, 'optional');
  for (const field of FIELDS) {
    if (row[field] !== undefined && row[field] !== null && !read.has(field)) {
      decoded.rejects.push(fieldFault(ticker, field, row[field]));
    }
  }
  if (!says(quote)) return;
  if (quote.fundingRate !== undefined) quote.fundingIntervalHours = HOURLY;
  decoded.quotes.push(quote);
}

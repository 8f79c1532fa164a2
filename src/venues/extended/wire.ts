import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, readRate, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { asHours } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { addOpenInterestPoint, putOpenInterest, putVolume } from '../amounts.ts';
import { addUnitBook, bookStamps } from '../book-message.ts';
import { type ContractUnits, contractUnitsOf } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import { nearestHour } from '../hour.ts';
import { readLevels } from '../levels.ts';
import { keepPatch, put } from '../quote-field.ts';
import { requestSegment } from '../request-segment.ts';
import { type Contracts, eachContract, eachRow } from '../rows.ts';
import { PUBLISHED } from './published.ts';

/** Funding is applied at each full hour. */
const INTERVAL = asHours(1);

/** `NVDA_24_5-USD` trades NVDA around the clock on five days a week. */
const HOURS_SUFFIX = /_24_[57]$/;
const MARKET = /^(.+)-USD$/;

/** Base of `BTC-USD` and of `NVDA_24_5-USD`. */
export function baseOf(symbol: string): string | undefined {
  return MARKET.exec(symbol)?.[1]?.replace(HOURS_SUFFIX, '');
}

const contracts: Contracts = {
  parseSymbol: (symbol) => {
    const base = baseOf(symbol);
    return base === undefined ? 'not_listed' : { base };
  },
  contractSize: 1,
};

/** `data` of an answer; an error body is a reject and undefined. */
function dataOf(payload: unknown, out: Decoded): unknown {
  if (!isWire(payload)) return payload;
  if (isWire(payload.error)) {
    const detail = errorText(payload.error.code, payload.error.message);
    out.rejects.push({ symbol: null, reason: 'error_body', detail });
    return undefined;
  }
  return payload.data === undefined ? payload : payload.data;
}

/** Why a market row is left out: by type and status, never by value (a delisted row keeps a plausible rate). */
function outOfScope(row: Wire): OutOfScopeReason | undefined {
  if (row.type !== undefined && row.type !== 'PERPETUAL') return 'spot';
  if (row.status === 'DELISTED') return 'delisted';
  if (row.status === 'PRELISTED') return 'prelisting';
  // Older payloads state no status: `active` alone says whether a market trades.
  if (row.active === false || (row.status ?? 'ACTIVE') !== 'ACTIVE') return 'not_trading';
  return row.isRfq === true ? 'not_listed' : undefined;
}

function listMarket(out: Decoded, row: Wire, symbol: string): boolean {
  const reason = outOfScope(row);
  const base = baseOf(symbol);
  if (reason !== undefined || base === undefined) {
    out.rejects.push({ symbol, reason: reason ?? 'not_listed' });
    return false;
  }
  if (row.status === undefined && row.active === undefined) {
    out.rejects.push({ symbol, reason: 'missing_field', detail: 'status' });
    return false;
  }
  out.instruments.push({
    venue: 'extended',
    symbol,
    base,
    ...baseName(base),
    contractSize: 1,
    quote: 'USD',
    settle: 'USDC',
    ...(row.category === 'Crypto' ? { assetClass: 'crypto' as const } : {}),
    fundingIntervalHours: INTERVAL,
  });
  return true;
}

/**
 * `/info/markets`: list and metrics in one. `fundingRate` is the estimate of the hour in progress,
 * `nextFundingRate` (so named) the time of the next settlement, `openInterest` and `dailyVolume` are USD.
 */
export function decodeMarkets(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const rows = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  eachRow(rows, 'name', out, (row, symbol) => {
    if (!listMarket(out, row, symbol)) return;
    const { multiplier } = baseName(baseOf(symbol) ?? symbol);
    const units = { multiplier, perContract: multiplier };
    if (isWire(row.marketStats)) takeStats(out, row.marketStats, symbol, units);
    else out.rejects.push({ symbol, reason: 'missing_field', detail: 'marketStats' });
  });
  if (context.instruments.size === 0) return out;
  return { ...out, quotes: out.quotes.filter((q) => context.instruments.has(q.symbol)) };
}

function takeStats(out: Decoded, stats: Wire, symbol: string, units: ContractUnits): void {
  const { multiplier } = units;
  const { rejects } = out;
  const q: QuotePatch = { symbol };
  put(q, 'fundingRate', readRate(stats.fundingRate), stats.fundingRate, rejects);
  put(q, 'nextFundingTime', readMs(stats.nextFundingRate), stats.nextFundingRate, rejects);
  put(q, 'markPrice', readPrice(stats.markPrice, multiplier), stats.markPrice, rejects);
  put(q, 'indexPrice', readPrice(stats.indexPrice, multiplier), stats.indexPrice, rejects);
  put(q, 'bestBid', readPrice(stats.bidPrice, multiplier), stats.bidPrice, rejects);
  put(q, 'bestAsk', readPrice(stats.askPrice, multiplier), stats.askPrice, rejects);
  const open = { base: stats.openInterestBase, quote: stats.openInterest };
  putOpenInterest(q, PUBLISHED.openInterest, open, units, rejects);
  const traded = { base: stats.dailyVolumeBase, quote: stats.dailyVolume };
  putVolume(q, PUBLISHED.volume, traded, units, rejects);
  if (q.fundingRate !== undefined) q.fundingIntervalHours = INTERVAL;
  keepPatch(q, out.quotes, rejects);
}

/** The market that a request's path names. */
function asked(context: DecodeContext): string | undefined {
  const { request } = context;
  return (
    requestSegment(request, /\/markets\/([^/]+)\/(?:stats|orderbook)$/) ??
    requestSegment(request, /\/candles\/([^/]+)\//) ??
    requestSegment(request, /\/info\/([^/]+)\/(?:funding|open-interests)$/)
  );
}

function withScale(
  out: Decoded,
  symbol: string | undefined,
  context: DecodeContext,
  read: (symbol: string, units: ContractUnits) => void,
) {
  if (symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'market' });
    return;
  }
  const units = contractUnitsOf(context, symbol, contracts.parseSymbol, 1);
  if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
  else read(symbol, units);
}

/** `/info/markets/{market}/stats`: the same statistics of the market in the path. */
export function decodeStats(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  withScale(out, asked(context), context, (symbol, units) => {
    if (isWire(data)) takeStats(out, data, symbol, units);
    else out.rejects.push({ symbol, reason: 'unexpected_shape', detail: 'no statistics' });
  });
  return out;
}

/** `/info/{market}/funding`: rows `{m, f, T}`, hourly, stamped a little after the hour. */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const rows = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  eachContract(rows, 'm', out, context, contracts, (row, symbol) => {
    const time = readMs(row.T);
    const rate = readRate(row.f);
    if (time === undefined || rate === undefined) {
      out.rejects.push({ symbol, reason: 'malformed', detail: 'funding row' });
    } else {
      out.funding.push({ symbol, time: nearestHour(time), rate, intervalHours: INTERVAL });
    }
  });
  return out;
}

function eachPoint(
  payload: unknown,
  context: DecodeContext,
  read: (out: Decoded, row: Wire, symbol: string, units: ContractUnits) => void,
): Decoded {
  const out = emptyDecoded();
  const rows = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  withScale(out, asked(context), context, (symbol, units) => {
    for (const row of wireArray(rows) ?? [rows]) {
      if (isWire(row)) read(out, row, symbol, units);
      else out.rejects.push({ symbol, reason: 'malformed', detail: 'row' });
    }
  });
  return out;
}

/** `/info/{market}/open-interests`: `i` is USD, `I` base units, `t` ms. */
export function decodeOpenInterests(payload: unknown, context: DecodeContext): Decoded {
  return eachPoint(payload, context, (out, row, symbol, units) => {
    const open = { base: row.I, quote: row.i };
    addOpenInterestPoint(out, symbol, readMs(row.t), PUBLISHED.openInterest, open, units);
  });
}

/** `/info/candles/{market}/mark-prices` and `…/index-prices`: the close of the candle that opens at `T`. */
export function decodeCandles(payload: unknown, context: DecodeContext): Decoded {
  const index = context.request?.path.includes('/index-prices') === true;
  return eachPoint(payload, context, (out, row, symbol, { multiplier }) => {
    const time = readMs(row.T);
    const close = readPrice(row.c, multiplier);
    if (time === undefined || close === undefined) {
      out.rejects.push({ symbol, reason: 'malformed', detail: 'candle' });
      return;
    }
    out.history.push({ symbol, time, ...(index ? { indexPrice: close } : { markPrice: close }) });
  });
}

function pairs(levels: unknown, size: 'qty' | 'q' | 'c', price: 'price' | 'p'): unknown {
  if (!Array.isArray(levels)) return levels;
  return levels.map((x: unknown) => (isWire(x) ? [x[price], x[size]] : x));
}

/** `/info/markets/{market}/orderbook`: `{qty, price}` levels; carries no sequence. */
export function decodeOrderbook(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  const row = isWire(data) ? data : {};
  withScale(out, readText(row.market) ?? asked(context), context, (symbol, { multiplier }) => {
    const side = (levels: unknown) => readLevels(pairs(levels, 'qty', 'price'), multiplier);
    addUnitBook(out, symbol, 'snapshot', { bids: side(row.bid), asks: side(row.ask) });
  });
  return out;
}

/** Frames of the one-stream sockets. In a DELTA `c` is the new absolute size (`q` the signed change). */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const frame = isWire(payload) ? payload : {};
  const data = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  if (!isWire(data) || Array.isArray(frame.data)) return out;
  withScale(out, readText(data.m), context, (symbol, { multiplier }) => {
    if (data.b !== undefined || data.a !== undefined) {
      takeBook(out, frame, data, symbol, multiplier);
      return;
    }
    const q: QuotePatch = { symbol };
    if (frame.type === 'MP') put(q, 'markPrice', readPrice(data.p, multiplier), data.p, out.rejects);
    if (frame.type === 'IP') put(q, 'indexPrice', readPrice(data.p, multiplier), data.p, out.rejects);
    if (data.f !== undefined) {
      put(q, 'fundingRate', readRate(data.f), data.f, out.rejects);
      q.fundingIntervalHours = INTERVAL;
    }
    keepPatch(q, out.quotes, out.rejects);
  });
  return out;
}

function takeBook(out: Decoded, frame: Wire, data: Wire, symbol: string, multiplier: number): void {
  const delta = frame.type === 'DELTA';
  const size = delta ? 'c' : 'q';
  const side = (levels: unknown) => readLevels(pairs(levels ?? [], size, 'p'), multiplier);
  const sides = { bids: side(data.b), asks: side(data.a) };
  addUnitBook(out, symbol, delta ? 'delta' : 'snapshot', sides, bookStamps(frame.seq, undefined, frame.ts));
}

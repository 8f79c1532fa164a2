import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, readRate, readText, type Wire } from '../../domain/read.ts';
import { baseName } from '../../domain/ticker.ts';
import { asHours } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { addUnitBook, bookStamps } from '../book-message.ts';
import { type ContractUnits, contractUnitsOf, type ParsedSymbol } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import { fieldFault } from '../field-fault.ts';
import { nearestHour, nextHour } from '../hour.ts';
import { keyedLevels } from '../keyed-levels.ts';
import { keepPatch, put } from '../quote-field.ts';
import { requestParam } from '../request-param.ts';
import { eachRow } from '../rows.ts';
import { PUBLISHED } from './published.ts';

/** Every perpetual settles each full hour; the payloads do not say so. */
const INTERVAL = asHours(1);

/** Base of a perpetual, which is its symbol; spot pairs carry a hyphen. */
export function baseOf(symbol: string): string | undefined {
  return symbol.includes('-') ? undefined : symbol;
}

function parseSymbol(symbol: string): ParsedSymbol {
  const base = baseOf(symbol);
  return base === undefined ? 'spot' : { base };
}

const scaleOrReason = (context: DecodeContext, symbol: string) =>
  contractUnitsOf(context, symbol, parseSymbol, 1);

/** `data` of an answer or frame, or the bare rows; an error body (also inside HTTP 200) is a reject and undefined. */
function dataOf(payload: unknown, out: Decoded): unknown {
  if (!isWire(payload)) return payload;
  if (payload.success === false) {
    const detail = errorText(payload.code, payload.error);
    out.rejects.push({ symbol: null, reason: 'error_body', detail });
    return undefined;
  }
  return payload.success === true || payload.channel !== undefined ? payload.data : payload;
}

function eachContract(
  payload: unknown,
  key: string,
  context: DecodeContext,
  read: (out: Decoded, row: Wire, symbol: string, units: ContractUnits) => void,
): Decoded {
  const out = emptyDecoded();
  const rows = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  eachRow(rows, key, out, (row, symbol) => {
    const units = scaleOrReason(context, symbol);
    if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
    else read(out, row, symbol, units);
  });
  return out;
}

/** `/info`: rows of type `perpetual`; a `k` name is per 1000 tokens. */
export function decodeInfo(payload: unknown): Decoded {
  const out = emptyDecoded();
  const rows = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  eachRow(rows, 'symbol', out, (row, symbol) => {
    const type = readText(row.instrument_type);
    const base = baseOf(symbol);
    if (base === undefined || (type !== undefined && type !== 'perpetual')) {
      out.rejects.push({ symbol, reason: 'spot' });
      return;
    }
    out.instruments.push({
      venue: 'pacifica',
      symbol,
      base,
      ...baseName(base),
      contractSize: 1,
      quote: 'USDC',
      settle: 'USDC',
      fundingIntervalHours: INTERVAL,
    });
  });
  return out;
}

/**
 * `/info/prices` and channel `prices`: `next_funding` is the running estimate of the rate paid at the next full
 * hour, `funding` the one last paid. Open interest counts base units, volume USD, both on both sides. `timestamp` is the row's own stamp.
 */
export function decodePrices(payload: unknown, context: DecodeContext): Decoded {
  return eachContract(payload, 'symbol', context, (out, row, symbol, units) => {
    const { multiplier } = units;
    const q: QuotePatch = { symbol, fundingIntervalHours: INTERVAL };
    const { rejects } = out;
    const said = rejects.length;
    put(q, 'fundingRate', readRate(row.next_funding), row.next_funding, rejects);
    put(q, 'markPrice', readPrice(row.mark, multiplier), row.mark, rejects);
    put(q, 'indexPrice', readPrice(row.oracle, multiplier), row.oracle, rejects);
    putOpenInterest(q, PUBLISHED.openInterest, { base: row.open_interest }, units, rejects);
    putVolume(q, PUBLISHED.volume, { quote: row.volume_24h }, units, rejects);
    const time = readMs(row.timestamp);
    if (time !== undefined) q.venueTime = time;
    const next = nextHour(time ?? context.receivedAt);
    if (next !== undefined) q.nextFundingTime = next;
    if (q.markPrice !== undefined || q.fundingRate !== undefined) out.quotes.push(q);
    else if (rejects.length === said) rejects.push({ symbol, reason: 'missing_field', detail: 'no metric' });
  });
}

/** `/funding_rate/history?symbol=`: rates paid, stamped some seconds after the hour. */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const rows = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  const asked = requestParam(context.request, 'symbol');
  if (!Array.isArray(rows)) {
    out.rejects.push({ symbol: asked ?? null, reason: 'unexpected_shape', detail: 'no list of rows' });
    return out;
  }
  for (const row of rows as readonly unknown[]) {
    const symbol = (isWire(row) ? readText(row.symbol) : undefined) ?? asked;
    const time = isWire(row) ? readMs(row.created_at) : undefined;
    const rate = isWire(row) ? readRate(row.funding_rate) : undefined;
    if (symbol === undefined || time === undefined || rate === undefined) {
      out.rejects.push({ symbol: symbol ?? null, reason: 'malformed', detail: 'funding row' });
    } else {
      out.funding.push({ symbol, time: nearestHour(time), rate, intervalHours: INTERVAL });
    }
  }
  return out;
}

/** Sides come as `[bids, asks]`, levels as `{p, a, n}`; every message is the snapshot of ten levels. */
export function decodeBook(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  if (out.rejects.length > 0) return out;
  const symbol = isWire(data) ? readText(data.s) : undefined;
  if (!isWire(data) || symbol === undefined || !Array.isArray(data.l)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no book' });
    return out;
  }
  const units = scaleOrReason(context, symbol);
  if (typeof units === 'string') {
    out.rejects.push({ symbol, reason: units });
    return out;
  }
  const side = (levels: unknown) => keyedLevels(levels, 'p', 'a', units.multiplier);
  const sides = { bids: side(data.l[0]), asks: side(data.l[1]) };
  addUnitBook(out, symbol, 'snapshot', sides, bookStamps(data.li, undefined, data.t));
  return out;
}

function decodeBbo(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = dataOf(payload, out);
  const symbol = isWire(data) ? readText(data.s) : undefined;
  if (!isWire(data) || symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no bbo' });
    return out;
  }
  const units = scaleOrReason(context, symbol);
  if (typeof units === 'string') {
    out.rejects.push({ symbol, reason: units });
    return out;
  }
  const q: QuotePatch = { symbol };
  put(q, 'bestBid', readPrice(data.b, units.multiplier), data.b, out.rejects);
  put(q, 'bestAsk', readPrice(data.a, units.multiplier), data.a, out.rejects);
  keepPatch(q, out.quotes, out.rejects);
  return out;
}

/** Frames by their channel; acknowledgements and pongs say nothing. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const channel = isWire(payload) ? payload.channel : undefined;
  if (channel === 'prices') return decodePrices(payload, context);
  if (channel === 'book') return decodeBook(payload, context);
  if (channel === 'bbo') return decodeBbo(payload, context);
  const out = emptyDecoded();
  if (channel === 'subscribe' || channel === 'unsubscribe' || channel === 'pong') return out;
  out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no known channel' });
  return out;
}

/** `/kline/mark`: candles of the mark; the close stands for the candle that opens at `t`. */
export function decodeMarkKline(payload: unknown, context: DecodeContext): Decoded {
  return eachContract(payload, 's', context, (out, row, symbol, { multiplier }) => {
    const time = readMs(row.t);
    const mark = readPrice(row.c, multiplier);
    if (time === undefined) out.rejects.push(fieldFault(symbol, 't', row.t));
    else if (mark === undefined) out.rejects.push(fieldFault(symbol, 'c', row.c));
    else out.history.push({ symbol, time, markPrice: mark });
  });
}

import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readHours, readMs, readPrice, readRate, readText, type Wire } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { addUnitBook, previousStamp } from '../book-message.ts';
import { type ContractUnits, contractUnitsOf, type ParsedSymbol } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import { fieldFault } from '../field-fault.ts';
import { readLevels } from '../levels.ts';
import { keepPatch, put } from '../quote-field.ts';
import { eachRow } from '../rows.ts';
import { PUBLISHED } from './published.ts';

/** A shared market; a fourth part names the builder whose own market it is. */
const SHARED = /^PERP_([A-Z0-9]+)_(USDC)$/;

/** Base of `PERP_BTC_USDC`; undefined for builders' own markets and anything else. */
export function baseOf(symbol: string): string | undefined {
  return SHARED.exec(symbol)?.[1];
}

function parseSymbol(symbol: string): ParsedSymbol {
  const base = baseOf(symbol);
  if (base !== undefined) return { base };
  return symbol.startsWith('SPOT_') ? 'spot' : 'not_listed';
}

const scaleOrReason = (context: DecodeContext, symbol: string) =>
  contractUnitsOf(context, symbol, parseSymbol, 1);

/** `data.rows`, `data` or the bare rows; an error body is a reject and undefined. */
function rowsOf(payload: unknown, out: Decoded): unknown {
  if (!isWire(payload) || payload.success === undefined) return payload;
  if (payload.success !== true) {
    const detail = errorText(payload.code, payload.message);
    out.rejects.push({ symbol: null, reason: 'error_body', detail });
    return undefined;
  }
  const data = payload.data;
  return isWire(data) && data.rows !== undefined ? data.rows : data;
}

function eachContract(
  payload: unknown,
  context: DecodeContext,
  read: (out: Decoded, row: Wire, symbol: string, units: ContractUnits) => void,
): Decoded {
  const out = emptyDecoded();
  const rows = rowsOf(payload, out);
  if (rows === undefined && out.rejects.length > 0) return out;
  eachRow(rows, 'symbol', out, (row, symbol) => {
    const units = scaleOrReason(context, symbol);
    if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
    else read(out, row, symbol, units);
  });
  return out;
}

/** `/v1/public/info`: shared active markets; `funding_period` is in hours. */
export function decodeInfo(payload: unknown): Decoded {
  const out = emptyDecoded();
  const rows = rowsOf(payload, out);
  if (rows === undefined && out.rejects.length > 0) return out;
  eachRow(rows, 'symbol', out, (row, symbol) => {
    const base = baseOf(symbol);
    if (base === undefined || (row.broker_id ?? null) !== null) {
      const detail = readText(row.broker_id);
      out.rejects.push({ symbol, reason: 'not_listed', ...(detail === undefined ? {} : { detail }) });
      return;
    }
    if (row.status !== 'ACTIVE') {
      out.rejects.push({ symbol, reason: 'not_trading', detail: String(readText(row.status)) });
      return;
    }
    const hours = readHours(row.funding_period);
    if (hours === undefined) out.rejects.push(fieldFault(symbol, 'funding_period', row.funding_period));
    out.instruments.push({
      venue: 'orderly',
      symbol,
      base,
      ...baseName(base),
      contractSize: 1,
      quote: 'USDC',
      settle: 'USDC',
      ...(hours === undefined ? {} : { fundingIntervalHours: hours }),
    });
  });
  return out;
}

/**
 * `/v1/public/futures`: `est_funding_rate` is the rate predicted for `next_funding_time`; open interest counts
 * base units, `24h_amount` is quote. The answer's timestamp is the server's clock, no freshness stamp of a row.
 */
export function decodeFutures(payload: unknown, context: DecodeContext): Decoded {
  return eachContract(payload, context, (out, row, symbol, units) => {
    const q: QuotePatch = { symbol };
    const { multiplier } = units;
    const { rejects } = out;
    put(q, 'fundingRate', readRate(row.est_funding_rate), row.est_funding_rate, rejects);
    put(q, 'nextFundingTime', readMs(row.next_funding_time), row.next_funding_time, rejects);
    put(q, 'markPrice', readPrice(row.mark_price, multiplier), row.mark_price, rejects);
    put(q, 'indexPrice', readPrice(row.index_price, multiplier), row.index_price, rejects);
    putOpenInterest(q, PUBLISHED.openInterest, { base: row.open_interest }, units, rejects);
    const traded = { base: row['24h_volume'], quote: row['24h_amount'] };
    putVolume(q, PUBLISHED.volume, traded, units, rejects);
    keepPatch(q, out.quotes, rejects);
  });
}

/** `/v1/public/funding_rates`: the same rates by themselves. */
export function decodeFundingRates(payload: unknown, context: DecodeContext): Decoded {
  return eachContract(payload, context, (out, row, symbol) => {
    const q: QuotePatch = { symbol };
    put(q, 'fundingRate', readRate(row.est_funding_rate), row.est_funding_rate, out.rejects);
    put(q, 'nextFundingTime', readMs(row.next_funding_time), row.next_funding_time, out.rejects);
    keepPatch(q, out.quotes, out.rejects);
  });
}

/** `/v1/public/funding_rate_history`: settled rates, newest first. */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  return eachContract(payload, context, (out, row, symbol) => {
    const time = readMs(row.funding_rate_timestamp);
    const rate = readRate(row.funding_rate);
    if (time === undefined) out.rejects.push(fieldFault(symbol, 'time', row.funding_rate_timestamp));
    else if (rate === undefined) out.rejects.push(fieldFault(symbol, 'rate', row.funding_rate));
    else out.funding.push({ symbol, time, rate });
  });
}

/** Levels of the query API are objects, those of the socket pairs. */
function pairs(levels: unknown): unknown {
  if (!Array.isArray(levels)) return levels;
  return levels.map((level: unknown) => (isWire(level) ? [level.price, level.quantity] : level));
}

function takeBook(
  out: Decoded,
  data: unknown,
  kind: 'snapshot' | 'delta',
  context: DecodeContext,
  ts: unknown,
) {
  const symbol = isWire(data) ? readText(data.symbol) : undefined;
  if (!isWire(data) || symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no book' });
    return;
  }
  const units = scaleOrReason(context, symbol);
  if (typeof units === 'string') {
    out.rejects.push({ symbol, reason: units });
    return;
  }
  const side = (levels: unknown) => readLevels(pairs(levels), units.multiplier);
  const time = readMs(data.ts) ?? readMs(ts);
  const stamps = {
    ...(time !== undefined && { sequence: time, venueTime: time }),
    ...previousStamp(readMs(data.prevTs)),
  };
  addUnitBook(out, symbol, kind, { bids: side(data.bids), asks: side(data.asks) }, stamps);
}

/** `POST /v1/public/query {"type":"orderbook"}`: the public REST book, best first. */
export function decodeOrderbook(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const data = rowsOf(payload, out);
  if (data === undefined && out.rejects.length > 0) return out;
  takeBook(out, data, 'snapshot', context, isWire(payload) ? payload.timestamp : undefined);
  return out;
}

/** Frames: books (`@orderbook` whole, `@orderbookupdate` changes chained by `prevTs`), or rows of one topic of `TICKS`. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (!isWire(payload)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no frame' });
    return out;
  }
  const { topic, data } = payload;
  if (payload.success === false) {
    out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(undefined, payload.errorMsg) });
  } else if (payload.event === 'request') {
    takeBook(out, data, 'snapshot', context, payload.ts);
  } else if (typeof topic !== 'string') {
    if (payload.event === undefined) {
      out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no topic' });
    }
  } else if (topic.endsWith('@orderbook')) {
    takeBook(out, data, 'snapshot', context, payload.ts);
  } else if (topic.endsWith('@orderbookupdate')) {
    takeBook(out, data, 'delta', context, payload.ts);
  } else {
    takeTicks(out, topic, data, context);
  }
  return out;
}

type Fill = (q: QuotePatch, row: Wire, units: ContractUnits, rejects: Reject[]) => void;

const putMark: Fill = (q, row, { multiplier }, rejects) =>
  put(q, 'markPrice', readPrice(row.price, multiplier), row.price, rejects);

const putRate: Fill = (q, row, _, rejects) => {
  put(q, 'fundingRate', readRate(row.fundingRate), row.fundingRate, rejects);
  put(q, 'nextFundingTime', readMs(row.fundingTs), row.fundingTs, rejects);
};

const putTouch: Fill = (q, row, { multiplier }, rejects) => {
  put(q, 'bestBid', readPrice(row.bid, multiplier), row.bid, rejects);
  put(q, 'bestAsk', readPrice(row.ask, multiplier), row.ask, rejects);
};

/** `volume` counts base units and `amount` quote, as `24h_volume` and `24h_amount` of REST. */
const putDay: Fill = (q, row, units, rejects) =>
  putVolume(q, PUBLISHED.volume, { base: row.volume, quote: row.amount }, units, rejects);

/** Topics of one symbol (`PERP_BTC_USDC@bbo`) and of all (`bbos`), by what follows the symbol. */
const TICKS: Readonly<Record<string, Fill>> = {
  markprice: putMark,
  markprices: putMark,
  estfundingrate: putRate,
  bbo: putTouch,
  bbos: putTouch,
  ticker: putDay,
  tickers: putDay,
};

function takeTicks(out: Decoded, topic: string, data: unknown, context: DecodeContext): void {
  const fill = TICKS[topic.slice(topic.indexOf('@') + 1)];
  if (fill === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: `topic ${topic.slice(0, 40)}` });
    return;
  }
  eachRow(data, 'symbol', out, (row, symbol) => {
    const units = scaleOrReason(context, symbol);
    if (typeof units === 'string') {
      out.rejects.push({ symbol, reason: units });
      return;
    }
    const q: QuotePatch = { symbol };
    fill(q, row, units, out.rejects);
    keepPatch(q, out.quotes, out.rejects);
  });
}

import type { BookLevel } from '../../domain/book.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import {
  isWire,
  readBase,
  readMs,
  readNumber,
  readPrice,
  readRate,
  readText,
  type Wire,
} from '../../domain/read.ts';
import { baseName } from '../../domain/ticker.ts';
import { asHours } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { addUnitBook, bookStamps, previousStamp } from '../book-message.ts';
import { type ContractUnits, contractUnitsOf } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import { readLevels } from '../levels.ts';
import { keepPatch, put } from '../quote-field.ts';
import { requestParam } from '../request-param.ts';
import { type Contracts, eachContract, eachRow } from '../rows.ts';
import { PUBLISHED } from './published.ts';

/** Rates are stated per 24 hours and paid each hour. */
const INTERVAL = asHours(1);
const PER_HOUR = 1 / 24;
const SECONDS = 1000;
/** Integers of the first API and of the socket are scaled by 10^18. */
const X18 = 1e18;

const PERP = /^(.+)-PERP(?:_USDT0)?$/;

/** Base of `BTC-PERP_USDT0`. */
export function baseOf(symbol: string): string | undefined {
  return PERP.exec(symbol)?.[1];
}

const contracts: Contracts = {
  parseSymbol: (symbol) => {
    const base = baseOf(symbol);
    if (base !== undefined) return { base };
    // Without a list a product number can only stand for itself.
    return /^\d+$/.test(symbol) ? { base: symbol } : 'spot';
  },
  contractSize: 1,
};

/** True after an error body was put among the rejects. */
function failed(payload: unknown, out: Decoded): boolean {
  if (!isWire(payload) || payload.status !== 'failure') return false;
  const detail = errorText(payload.error_code, payload.error);
  out.rejects.push({ symbol: null, reason: 'error_body', detail });
  return true;
}

/** Rows of an object keyed by ticker id, of a list, or one row. */
function rowsOf(payload: unknown): unknown {
  if (!isWire(payload) || payload.ticker_id !== undefined) return payload;
  const rows = Object.values(payload);
  return rows.length > 0 ? rows : undefined;
}

/** `archive/v2/contracts` as the list of what trades: every perpetual, its product number as the other id. */
export function decodeContractList(payload: unknown): Decoded {
  const out = emptyDecoded();
  if (failed(payload, out)) return out;
  eachRow(rowsOf(payload), 'ticker_id', out, (row, symbol) => {
    const base = baseOf(symbol);
    if (base === undefined || row.product_type !== 'perpetual') {
      out.rejects.push({ symbol, reason: 'spot' });
      return;
    }
    const product = readNumber(row.product_id);
    out.instruments.push({
      venue: 'nado',
      symbol,
      base,
      ...baseName(base),
      contractSize: 1,
      quote: 'USDT0',
      settle: 'USDT0',
      fundingIntervalHours: INTERVAL,
      ...(product === undefined ? {} : { altId: String(product) }),
    });
  });
  return out;
}

/**
 * `archive/v2/contracts` and `…/tickers`: all metrics; the rate is per 24 hours, its next time in seconds, open
 * interest long plus short.
 */
export function decodeContracts(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (failed(payload, out)) return out;
  eachContract(rowsOf(payload), 'ticker_id', out, context, contracts, (row, symbol, units) => {
    const { multiplier } = units;
    const { rejects } = out;
    const q: QuotePatch = { symbol };
    put(q, 'fundingRate', readRate(row.funding_rate, PER_HOUR), row.funding_rate, rejects);
    if (q.fundingRate !== undefined) q.fundingIntervalHours = INTERVAL;
    const next = row.next_funding_rate_timestamp;
    put(q, 'nextFundingTime', readMs(next, SECONDS), next, rejects);
    put(q, 'markPrice', readPrice(row.mark_price, multiplier), row.mark_price, rejects);
    put(q, 'indexPrice', readPrice(row.index_price, multiplier), row.index_price, rejects);
    const open = { base: row.open_interest, quote: row.open_interest_usd };
    putOpenInterest(q, PUBLISHED.openInterest, open, units, rejects);
    const traded = { base: row.base_volume, quote: row.quote_volume };
    putVolume(q, PUBLISHED.volume, traded, units, rejects);
    keepPatch(q, out.quotes, rejects);
  });
  return out;
}

/** Symbol of a product number, from the list; the number itself where there is none. */
function symbolOf(context: DecodeContext, product: unknown): string | undefined {
  const id = readNumber(product);
  if (id === undefined) return undefined;
  const altId = String(id);
  for (const instrument of context.instruments.values()) {
    if (instrument.altId === altId) return instrument.symbol;
  }
  return altId;
}

function withProduct(
  out: Decoded,
  product: unknown,
  context: DecodeContext,
  read: (symbol: string, units: ContractUnits) => void,
): void {
  const symbol = symbolOf(context, product);
  if (symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'product_id' });
    return;
  }
  const units = contractUnitsOf(context, symbol, contracts.parseSymbol, 1);
  if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
  else read(symbol, units);
}

/** `archive/v1 {"funding_rate_history"}`: rows are realised hourly rates, by one client's account. */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (failed(payload, out)) return out;
  const rows = isWire(payload) ? payload.funding_rates : payload;
  if (!Array.isArray(rows)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no funding rates' });
    return out;
  }
  for (const row of rows as readonly unknown[]) {
    const wire: Wire = isWire(row) ? row : {};
    withProduct(out, wire.product_id, context, (symbol) => {
      const time = readMs(wire.timestamp, SECONDS);
      const rate = readRate(fromX18(wire.funding_rate_x18));
      if (time === undefined || rate === undefined) {
        out.rejects.push({ symbol, reason: 'malformed', detail: 'funding row' });
      } else {
        out.funding.push({ symbol, time, rate, intervalHours: INTERVAL });
      }
    });
  }
  return out;
}

/** `gateway/v2/orderbook`: plain numbers, best first. */
export function decodeOrderbook(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (failed(payload, out)) return out;
  eachContract(payload, 'ticker_id', out, context, contracts, (row, symbol, { multiplier }) => {
    const sides = { bids: readLevels(row.bids, multiplier), asks: readLevels(row.asks, multiplier) };
    addUnitBook(out, symbol, 'snapshot', sides, bookStamps(undefined, undefined, row.timestamp));
  });
  return out;
}

/** A scaled integer; as text it is read with its exponent, so that 82866 x 10^18 is 82866. */
function fromX18(x: unknown): number | undefined {
  if (typeof x === 'string' && /^-?\d{1,40}$/.test(x)) return Number(`${x}e-18`);
  const n = readNumber(x);
  return n === undefined ? undefined : n / X18;
}

function readX18Levels(levels: unknown, multiplier: number): BookLevel[] | undefined {
  if (!Array.isArray(levels)) return undefined;
  return readLevels(
    levels.map((level: unknown) => (Array.isArray(level) ? [fromX18(level[0]), fromX18(level[1])] : level)),
    multiplier,
  );
}

/** Frames: `book_depth` chains by `last_max_timestamp` (ns) and has no snapshot; `best_bid_offer`, `all_bbo`. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const frame = isWire(payload) ? payload : {};
  if (frame.type === 'book_depth') takeDepth(out, frame, context, 'delta');
  else if (frame.type === 'best_bid_offer') {
    takeTouch(out, frame.product_id, frame.bid_price, frame.ask_price, frame, context);
  } else if (frame.type === 'all_bbo' && isWire(frame.bbos)) {
    for (const product in frame.bbos) {
      const touch = frame.bbos[product];
      if (isWire(touch)) takeTouch(out, product, touch.bid, touch.ask, {}, context);
      else out.rejects.push({ symbol: product, reason: 'malformed', detail: 'bbo' });
    }
  } else if (!failed(payload, out) && frame.result === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: String(readText(frame.type)) });
  }
  return out;
}

/** `gateway/v1/query?type=market_liquidity`: the snapshot that `book_depth` is joined with; its time is in ns. */
export function decodeLiquidity(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  if (failed(payload, out)) return out;
  const data = isWire(payload) ? payload.data : undefined;
  if (isWire(data)) takeDepth(out, data, context, 'snapshot');
  else out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no data' });
  return out;
}

function takeDepth(out: Decoded, frame: Wire, context: DecodeContext, kind: 'snapshot' | 'delta'): void {
  const product = frame.product_id ?? requestParam(context.request, 'product_id');
  withProduct(out, product, context, (symbol, { multiplier }) => {
    const sides = {
      bids: readX18Levels(frame.bids, multiplier),
      asks: readX18Levels(frame.asks, multiplier),
    };
    const stamp = kind === 'snapshot' ? frame.timestamp : frame.max_timestamp;
    const stamps = {
      ...bookStamps(stamp, undefined, stamp, 1e-6),
      ...previousStamp(frame.last_max_timestamp),
    };
    addUnitBook(out, symbol, kind, sides, stamps);
  });
}

/** An empty side has quantity 0 and price 0 or the largest 128-bit number. */
function takeTouch(
  out: Decoded,
  product: unknown,
  bid: unknown,
  ask: unknown,
  sizes: Wire,
  context: DecodeContext,
) {
  withProduct(out, product, context, (symbol, { multiplier }) => {
    const q: QuotePatch = { symbol };
    const empty = (size: unknown) => size !== undefined && readBase(size) === 0;
    const price = (x: unknown, size: unknown) =>
      empty(size) ? undefined : readPrice(fromX18(x), multiplier);
    const [bestBid, bestAsk] = [price(bid, sizes.bid_qty), price(ask, sizes.ask_qty)];
    if (bestBid !== undefined) q.bestBid = bestBid;
    if (bestAsk !== undefined) q.bestAsk = bestAsk;
    if (bestBid !== undefined || bestAsk !== undefined) out.quotes.push(q);
    else out.rejects.push({ symbol, reason: 'placeholder', detail: 'empty touch' });
  });
}

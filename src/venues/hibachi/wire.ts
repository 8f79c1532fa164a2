import { iso } from '../../domain/clock.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { FundingPoint, QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, readRate, readText, type Wire, wireArray } from '../../domain/read.ts';
import { baseName } from '../../domain/ticker.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { addUnitBook, bookStamps } from '../book-message.ts';
import { type ContractUnits, contractUnitsOf, type ParsedSymbol } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import { hoursBetween } from '../hour.ts';
import { keyedLevels } from '../keyed-levels.ts';
import { keepPatch, put } from '../quote-field.ts';
import { requestParam } from '../request-param.ts';
import { eachRow } from '../rows.ts';
import { readTakerFeeBps } from '../taker-fee.ts';
import { PUBLISHED } from './published.ts';

const SECONDS = 1000;

/** Base of `BTC/USDT-P`. */
export function baseOf(symbol: string): string | undefined {
  return /^(.+)\/USDT-P$/.exec(symbol)?.[1];
}

function parseSymbol(symbol: string): ParsedSymbol {
  const base = baseOf(symbol);
  return base === undefined ? 'foreign_quote' : { base };
}

/** True after an error body was put among the rejects. */
function failed(payload: unknown, out: Decoded): boolean {
  if (!isWire(payload) || payload.errorCode === undefined) return false;
  const detail = errorText(payload.errorCode, payload.message);
  out.rejects.push({ symbol: null, reason: 'error_body', detail });
  return true;
}

/** Status of a contract that is closed, and when it opens again where the venue says so. */
function closedUntil(row: Wire): string {
  const status = readText(row.status)?.slice(0, 40) ?? 'status';
  const opens = readMs(row.marketOpenTimestamp, SECONDS);
  return opens === undefined ? status : `${status}, opens ${iso(opens)}`;
}

/** `market/exchange-info` (and `inventory`): live USDT contracts, with the fee of the answer. */
export function decodeExchangeInfo(payload: unknown): Decoded {
  const out = emptyDecoded();
  if (failed(payload, out)) return out;
  const info: Wire = isWire(payload) ? payload : {};
  const takerFeeBps = isWire(info.feeConfig) ? readTakerFeeBps(info.feeConfig.tradeTakerFeeRate) : undefined;
  eachRow(info.futureContracts, 'symbol', out, (row, symbol) => {
    const base = baseOf(symbol);
    if (base === undefined || row.settlementSymbol !== 'USDT') {
      out.rejects.push({ symbol, reason: 'foreign_quote' });
    } else if (row.status !== 'LIVE') {
      out.rejects.push({ symbol, reason: 'not_trading', detail: closedUntil(row) });
    } else {
      out.instruments.push({
        venue: 'hibachi',
        symbol,
        base,
        ...baseName(base),
        contractSize: 1,
        quote: 'USDT',
        settle: 'USDT',
        ...(takerFeeBps === undefined ? {} : { takerFeeBps }),
      });
    }
  });
  return out;
}

/** Reads the answer of a call about one contract, which some answers name and some do not. */
function ofAsked(
  payload: unknown,
  context: DecodeContext,
  read: (out: Decoded, row: Wire, symbol: string, units: ContractUnits) => void,
): Decoded {
  const out = emptyDecoded();
  if (failed(payload, out)) return out;
  if (!isWire(payload)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape' });
    return out;
  }
  const symbol =
    readText(payload.symbol) ?? context.request?.symbol ?? requestParam(context.request, 'symbol');
  if (symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'symbol' });
    return out;
  }
  const units = contractUnitsOf(context, symbol, parseSymbol, 1);
  if (typeof units === 'string') out.rejects.push({ symbol, reason: units });
  else read(out, payload, symbol, units);
  return out;
}

/** `market/data/prices?symbol=`: mark, spot (the index), touch and the running rate; its time is in seconds. */
export function decodePrices(payload: unknown, context: DecodeContext): Decoded {
  return ofAsked(payload, context, (out, row, symbol, { multiplier }) => {
    const { rejects } = out;
    const q: QuotePatch = { symbol };
    const estimate: Wire = isWire(row.fundingRateEstimation) ? row.fundingRateEstimation : {};
    const [rate, next] = [estimate.estimatedFundingRate, estimate.nextFundingTimestamp];
    put(q, 'fundingRate', readRate(rate), rate, rejects);
    put(q, 'nextFundingTime', readMs(next, SECONDS), next, rejects);
    put(q, 'markPrice', readPrice(row.markPrice, multiplier), row.markPrice, rejects);
    put(q, 'indexPrice', readPrice(row.spotPrice, multiplier), row.spotPrice, rejects);
    put(q, 'bestBid', readPrice(row.bidPrice, multiplier), row.bidPrice, rejects);
    put(q, 'bestAsk', readPrice(row.askPrice, multiplier), row.askPrice, rejects);
    keepPatch(q, out.quotes, rejects);
  });
}

/** `market/data/open-interest?symbol=`: base units of the contract asked for. */
export function decodeOpenInterest(payload: unknown, context: DecodeContext): Decoded {
  return ofAsked(payload, context, (out, row, symbol, units) => {
    const q: QuotePatch = { symbol };
    putOpenInterest(q, PUBLISHED.openInterest, { base: row.totalQuantity }, units, out.rejects);
    keepPatch(q, out.quotes, out.rejects);
  });
}

/** `market/data/stats?symbol=`: `volume24h` is USDT: the venue's SDK shows 1485054.567 beside 2.1586 BTC open. */
export function decodeStats(payload: unknown, context: DecodeContext): Decoded {
  return ofAsked(payload, context, (out, row, symbol, units) => {
    const q: QuotePatch = { symbol };
    putVolume(q, PUBLISHED.volume, { quote: row.volume24h }, units, out.rejects);
    keepPatch(q, out.quotes, out.rejects);
  });
}

/**
 * `market/data/funding-rates?symbol=`: settled rates. No call states the interval, so it is what lies between the
 * last two settlements, and unknown with less than two.
 */
export function decodeFundingRates(payload: unknown, context: DecodeContext): Decoded {
  return ofAsked(payload, context, (out, row, symbol) => {
    const rows = wireArray(row.data);
    if (rows === undefined) {
      out.rejects.push({ symbol, reason: 'unexpected_shape', detail: 'no settled rates' });
      return;
    }
    const points: FundingPoint[] = [];
    for (const it of rows) {
      const time = isWire(it) ? readMs(it.fundingTimestamp, SECONDS) : undefined;
      const rate = isWire(it) ? readRate(it.fundingRate) : undefined;
      if (time === undefined || rate === undefined) {
        out.rejects.push({ symbol, reason: 'malformed', detail: 'funding row' });
      } else points.push({ symbol, time, rate });
    }
    points.sort((a, b) => a.time - b.time);
    points.forEach((point, i) => {
      const before = points[i - 1];
      const hours = before === undefined ? undefined : hoursBetween(before.time, point.time);
      out.funding.push(hours === undefined ? point : { ...point, intervalHours: hours });
    });
    const last = out.funding.at(-1)?.intervalHours;
    if (last !== undefined) out.quotes.push({ symbol, fundingIntervalHours: last });
  });
}

function takeBook(
  out: Decoded,
  row: Wire,
  symbol: string,
  multiplier: number,
  kind: 'snapshot' | 'delta',
  ts?: unknown,
) {
  const side = (x: unknown) => keyedLevels(isWire(x) ? x.levels : undefined, 'price', 'quantity', multiplier);
  const sides = { bids: side(row.bid), asks: side(row.ask) };
  addUnitBook(out, symbol, kind, sides, bookStamps(undefined, undefined, ts));
}

/** `market/data/orderbook?symbol=`. */
export function decodeOrderbook(payload: unknown, context: DecodeContext): Decoded {
  return ofAsked(payload, context, (out, row, symbol, { multiplier }) => {
    takeBook(out, row, symbol, multiplier, 'snapshot');
  });
}

/** Frames of topic `orderbook`: absolute sizes, no sequence. Other topics have no recorded shape. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  if (!isWire(payload) || payload.topic !== 'orderbook') {
    const out = emptyDecoded();
    if (!failed(payload, out)) {
      out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'topic' });
    }
    return out;
  }
  return ofAsked(payload, context, (out, row, symbol, { multiplier }) => {
    const kind = row.messageType === 'Snapshot' ? 'snapshot' : 'delta';
    takeBook(out, isWire(row.data) ? row.data : {}, symbol, multiplier, kind, row.timestamp_ms);
  });
}

import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { FundingPoint } from '../../domain/quote.ts';
import { readMs, readPrice, readRate } from '../../domain/read.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { addOpenInterestPoint, addTradedHours } from '../amounts.ts';
import { fieldFault } from '../field-fault.ts';
import { addMarkCandles } from '../history-points.ts';
import { requestParam } from '../request-param.ts';
import { type FapiDialect, multiplierOf } from './dialect.ts';
import { eachContract, rejected, rowsOf } from './rows.ts';

/** Settlement stamps carry a jitter of some milliseconds. */
const toSecond = (time: UnixMs): UnixMs => asMs(Math.round(time / 1000) * 1000);

/** `fundingRate`: rates that were charged. */
export function decodeFundingHistory(
  payload: unknown,
  context: DecodeContext,
  dialect: FapiDialect,
): Decoded {
  const rows = rowsOf(payload);
  if (rows === undefined) return rejected(payload);
  const out = emptyDecoded();
  eachContract(rows, 'symbol', context.instruments, dialect, out, (row, symbol, multiplier) => {
    const time = readMs(row.fundingTime);
    const rate = readRate(row.fundingRate);
    if (time === undefined) out.rejects.push(fieldFault(symbol, 'fundingTime', row.fundingTime));
    if (rate === undefined) out.rejects.push(fieldFault(symbol, 'fundingRate', row.fundingRate));
    if (time === undefined || rate === undefined) return;
    const markPrice = readPrice(row.markPrice, multiplier);
    const point: FundingPoint = { symbol, time: toSecond(time), rate };
    out.funding.push(markPrice === undefined ? point : { ...point, markPrice });
  });
  return out;
}

/** `openInterestHist`: open interest at the stamp, in named base units and in the quote currency. */
export function decodeOpenInterestHistory(
  payload: unknown,
  context: DecodeContext,
  dialect: FapiDialect,
): Decoded {
  const rows = rowsOf(payload);
  if (rows === undefined) return rejected(payload);
  const out = emptyDecoded();
  eachContract(rows, 'symbol', context.instruments, dialect, out, (row, symbol, multiplier) => {
    const stated = { base: row.sumOpenInterest, quote: row.sumOpenInterestValue };
    const units = { multiplier, perContract: multiplier };
    addOpenInterestPoint(out, symbol, readMs(row.timestamp), dialect.published.openInterest, stated, units);
  });
  return out;
}

/** The contract that a list of candles is about: they do not name it, the request does. */
function candlesOf(
  payload: unknown,
  context: DecodeContext,
  dialect: FapiDialect,
): { readonly symbol: string; readonly multiplier: number; readonly rows: readonly unknown[] } | Decoded {
  if (!Array.isArray(payload)) return rejected(payload);
  const out = emptyDecoded();
  const symbol = context.request?.symbol ?? requestParam(context.request, 'symbol');
  if (symbol === undefined) {
    out.rejects.push({ symbol: null, reason: 'missing_field', detail: 'symbol of the request' });
    return out;
  }
  const multiplier = multiplierOf(symbol, context.instruments, dialect);
  if (typeof multiplier === 'number') return { symbol, multiplier, rows: payload };
  out.rejects.push({ symbol, reason: multiplier });
  return out;
}

/**
 * `markPriceKlines`: rows `[openTime, open, …]`. The point is the open at the open time: it is the mark at exactly
 * that instant, finished bar or not.
 */
export function decodeMarkKlines(payload: unknown, context: DecodeContext, dialect: FapiDialect): Decoded {
  const opened = candlesOf(payload, context, dialect);
  if (!('rows' in opened)) return opened;
  const { symbol, multiplier, rows } = opened;
  const out = emptyDecoded();
  addMarkCandles(out, symbol, rows, multiplier);
  return out;
}

/** `klines` of an hour: the eighth cell is the turnover in the quote currency. */
export function decodeHourKlines(payload: unknown, context: DecodeContext, dialect: FapiDialect): Decoded {
  const opened = candlesOf(payload, context, dialect);
  if (!('rows' in opened)) return opened;
  const out = emptyDecoded();
  addTradedHours(out, opened.symbol, dialect.published.volume, opened.rows, 7);
  return out;
}

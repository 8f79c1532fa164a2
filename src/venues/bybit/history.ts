import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs, readNumber, readRate, readText, type Wire } from '../../domain/read.ts';
import { asMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { addOpenInterestPoint, addTradedHours } from '../amounts.ts';
import { fieldFault } from '../field-fault.ts';
import { addMarkCandles } from '../history-points.ts';
import { requestParam } from '../request-param.ts';
import { multiplierOf, outOfScopeCategory } from './contract.ts';
import { listOf, openEnvelope, unexpected } from './envelope.ts';
import { PUBLISHED, SINGLE_OPEN_INTEREST } from './published.ts';

/** `funding/history`: rates that were charged, newest first. */
export function decodeFundingHistory(payload: unknown, context: DecodeContext): Decoded {
  const opened = openEnvelope(payload);
  if ('failed' in opened) return opened.failed;
  const rows = listOf(opened.result);
  if (rows === undefined) return unexpected();
  const out = emptyDecoded();
  const outOfScope = outOfScopeCategory(opened.result.category);
  for (const row of rows) {
    const symbol = isWire(row) ? readText(row.symbol) : undefined;
    if (!isWire(row) || symbol === undefined) {
      out.rejects.push({ symbol: null, reason: 'malformed', detail: 'row' });
      continue;
    }
    const multiplier = outOfScope ?? multiplierOf(symbol, context.instruments);
    if (typeof multiplier === 'number') takeFunding(out, symbol, row);
    else out.rejects.push({ symbol, reason: multiplier });
  }
  return out;
}

function takeFunding(out: Decoded, symbol: string, row: Wire): void {
  const time = readMs(row.fundingRateTimestamp);
  const rate = readRate(row.fundingRate);
  if (time === undefined)
    out.rejects.push(fieldFault(symbol, 'fundingRateTimestamp', row.fundingRateTimestamp));
  else if (rate === undefined) out.rejects.push(fieldFault(symbol, 'fundingRate', row.fundingRate));
  else out.funding.push({ symbol, time: asMs(Math.round(time / 1000) * 1000), rate });
}

/** The contract that a history answer is about, or the finished result of one that is left out. */
function openHistory(
  payload: unknown,
  context: DecodeContext,
):
  | { readonly symbol: string; readonly multiplier: number; readonly rows: readonly unknown[] }
  | { readonly failed: Decoded } {
  const opened = openEnvelope(payload);
  if ('failed' in opened) return opened;
  const rows = listOf(opened.result);
  if (rows === undefined) return { failed: unexpected() };
  const symbol =
    readText(opened.result.symbol) ?? context.request?.symbol ?? requestParam(context.request, 'symbol');
  const failed = emptyDecoded();
  if (symbol === undefined) {
    failed.rejects.push({ symbol: null, reason: 'missing_field', detail: 'symbol' });
    return { failed };
  }
  const multiplier = outOfScopeCategory(opened.result.category) ?? multiplierOf(symbol, context.instruments);
  if (typeof multiplier === 'number') return { symbol, multiplier, rows };
  failed.rejects.push({ symbol, reason: multiplier });
  return { failed };
}

/** `open-interest`: one side in base units at each stamp; half of both sides in older answers. */
export function decodeOpenInterestHistory(payload: unknown, context: DecodeContext): Decoded {
  const opened = openHistory(payload, context);
  if ('failed' in opened) return opened.failed;
  const { symbol, multiplier, rows } = opened;
  const units = { multiplier, perContract: multiplier };
  const out = emptyDecoded();
  for (const row of rows) {
    if (!isWire(row)) {
      out.rejects.push({ symbol, reason: 'malformed', detail: 'open interest' });
      continue;
    }
    const single = readNumber(row.singleOpenInterest) !== undefined;
    const of = single ? SINGLE_OPEN_INTEREST : PUBLISHED.openInterest;
    const stated = { base: single ? row.singleOpenInterest : row.openInterest };
    addOpenInterestPoint(out, symbol, readMs(row.timestamp), of, stated, units);
  }
  return out;
}

/** `mark-price-kline`: `[start, open, …]`, newest first. The point is the open: the mark at exactly `start`. */
export function decodeMarkKlines(payload: unknown, context: DecodeContext): Decoded {
  const opened = openHistory(payload, context);
  if ('failed' in opened) return opened.failed;
  const { symbol, multiplier, rows } = opened;
  const out = emptyDecoded();
  addMarkCandles(out, symbol, rows, multiplier);
  return out;
}

/** `kline` of an hour: the seventh cell is the turnover in the quote currency. */
export function decodeHourKlines(payload: unknown, context: DecodeContext): Decoded {
  const opened = openHistory(payload, context);
  if ('failed' in opened) return opened.failed;
  const out = emptyDecoded();
  addTradedHours(out, opened.symbol, PUBLISHED.volume, opened.rows, 6);
  return out;
}

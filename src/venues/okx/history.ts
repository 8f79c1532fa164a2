import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { readMs, readRate } from '../../domain/read.ts';
import { asMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { addOpenInterestPoint, addTradedHours } from '../amounts.ts';
import { fieldFault } from '../field-fault.ts';
import { addMarkCandles } from '../history-points.ts';
import { requestParam } from '../request-param.ts';
import { contractUnits, eachContract, multiplierOf } from './contract.ts';
import { openEnvelope } from './envelope.ts';
import { restOf } from './metrics.ts';
import { PUBLISHED } from './published.ts';

/** `public/funding-rate-history`: `realizedRate` is what was charged, `fundingRate` what was announced. */
export const decodeFundingHistory = restOf((rows, context, out) => {
  eachContract(rows, context.instruments, out, (row, symbol) => {
    const time = readMs(row.fundingTime);
    const rate = readRate(row.realizedRate);
    if (time === undefined) out.rejects.push(fieldFault(symbol, 'fundingTime', row.fundingTime));
    else if (rate === undefined) out.rejects.push(fieldFault(symbol, 'realizedRate', row.realizedRate));
    else out.funding.push({ symbol, time: asMs(Math.round(time / 1000) * 1000), rate });
  });
});

/** Rows that do not name their contract: the request does. */
function openHistory(
  payload: unknown,
  context: DecodeContext,
):
  | { readonly symbol: string; readonly multiplier: number; readonly rows: readonly unknown[] }
  | { readonly failed: Decoded } {
  const opened = openEnvelope(payload);
  if ('failed' in opened) return opened;
  const failed = emptyDecoded();
  const symbol = context.request?.symbol ?? requestParam(context.request, 'instId');
  if (symbol === undefined) {
    failed.rejects.push({ symbol: null, reason: 'missing_field', detail: 'instId of the request' });
    return { failed };
  }
  const multiplier = multiplierOf(symbol, context.instruments);
  if (typeof multiplier === 'number') return { symbol, multiplier, rows: opened.rows };
  failed.rejects.push({ symbol, reason: multiplier });
  return { failed };
}

/** `mark-price-candles`: `[ts, open, …]`, newest first. The point is the open: the mark at exactly `ts`. */
export function decodeMarkCandles(payload: unknown, context: DecodeContext): Decoded {
  const opened = openHistory(payload, context);
  if ('failed' in opened) return opened.failed;
  const { symbol, multiplier, rows } = opened;
  const out = emptyDecoded();
  addMarkCandles(out, symbol, rows, multiplier);
  return out;
}

/** `history-candles` of an hour: the eighth cell is the turnover in the quote currency. */
export function decodeHourCandles(payload: unknown, context: DecodeContext): Decoded {
  const opened = openHistory(payload, context);
  if ('failed' in opened) return opened.failed;
  const out = emptyDecoded();
  addTradedHours(out, opened.symbol, PUBLISHED.volume, opened.rows, 7);
  return out;
}

/** `rubik/stat/contracts/open-interest-history`: `[ts, contracts, coins, USD]`. */
export function decodeOpenInterestHistory(payload: unknown, context: DecodeContext): Decoded {
  const opened = openHistory(payload, context);
  if ('failed' in opened) return opened.failed;
  const { symbol, multiplier, rows } = opened;
  const units = { multiplier, perContract: contractUnits(symbol, context.instruments) };
  const out = emptyDecoded();
  for (const row of rows) {
    const [stamp, contracts, base, quote]: readonly unknown[] = Array.isArray(row) ? row : [];
    const stated = { contracts, base, quote };
    addOpenInterestPoint(out, symbol, readMs(stamp), PUBLISHED.openInterest, stated, units);
  }
  return out;
}

/** `open-interest-volume`: sums over all contracts of a coin, dated ones included: no contract of ours. */
export const decodeCoinTotals = restOf((_rows, _context, out) => {
  out.rejects.push({ symbol: null, reason: 'not_listed', detail: 'sum over all contracts of a coin' });
});

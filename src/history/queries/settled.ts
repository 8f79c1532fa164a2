import { readNumber, readText } from '../../domain/read.ts';
import type { SettledBucket } from '../../domain/series.ts';
import { asRate } from '../../domain/units.ts';
import { DAY_SECONDS } from '../../runtime/duration.ts';
import type { PaymentTimes } from '../reading.ts';
import { CONTRACT, latestSettlements } from '../sample-sql.ts';
import type { Cells, Query } from '../store.ts';
import { countCell, timeCell } from './cells.ts';
import { hoursPaidFor } from './funding-payments.ts';
import { paramsOf, paymentSpan, type Scope } from './scope.ts';

const CELLS = [
  'venue',
  'symbol',
  'toUnixTimestamp(listed_at)',
  'intDiv(toUnixTimestamp(ts), {step:UInt32}) * {step:UInt32} AS start',
  'toUnixTimestamp(max(ts))',
  'count()',
  'avg(rate)',
  'avg(mark_price)',
  "countIf(origin = 'backfilled')",
  'if(count(minutes) = count() AND min(minutes) = max(minutes), min(minutes) / 60, NULL)',
  'ifNull(min(minutes) != max(minutes), 0)',
  'sum(rate)',
].join(', ');

/** Funding payments of a window by venue, contract and bucket. */
export function settledQuery(scope: Scope, stepMs: number, times?: PaymentTimes): Query {
  // The payment before the first of the window says how long that one is for.
  const from = `greatest(toInt64({from:UInt32}) - ${DAY_SECONDS}, 0)`;
  const span = { ...paymentSpan(scope), from };
  const rows = latestSettlements(['rate', 'mark_price', 'origin', 'interval_hours'], span, times);
  const order = `PARTITION BY ${CONTRACT} ORDER BY ts ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW`;
  const spaced = `SELECT *, toUnixTimestamp(ts) AS at, lagInFrame(toUnixTimestamp(ts)) OVER (${order}) AS before FROM (${rows})`;
  const hours = hoursPaidFor('at', 'before', 'interval_hours');
  const paid = `SELECT *, round(${hours} * 60) AS minutes FROM (${spaced}) WHERE at >= {from:UInt32}`;
  return {
    sql: `SELECT ${CELLS} FROM (${paid}) GROUP BY venue, symbol, listed_at, start ORDER BY venue, symbol, listed_at, start`,
    params: { ...paramsOf(scope), step: stepMs / 1000 },
  };
}

/** A row of `settledQuery`. */
export function readSettled(cells: Cells): SettledBucket {
  return {
    venue: readText(cells[0]) ?? '',
    symbol: readText(cells[1]) ?? '',
    listedAt: timeCell(cells[2]),
    start: timeCell(cells[3]),
    lastAt: timeCell(cells[4]),
    payments: countCell(cells[5]),
    meanRate: asRate(countCell(cells[6])),
    meanMark: readNumber(cells[7]),
    backfilled: countCell(cells[8]),
    intervalHours: readNumber(cells[9]),
    intervalChanged: countCell(cells[10]) === 1,
    rateSum: countCell(cells[11]),
  };
}

import { readNumber, readText } from '../../domain/read.ts';
import type { SettledBucket } from '../../domain/series.ts';
import { asRate } from '../../domain/units.ts';
import type { Correction } from '../corrections/correction.ts';
import { latestSettlements } from '../sample-sql.ts';
import type { Cells, Query } from '../store.ts';
import { countCell, timeCell } from './cells.ts';
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
].join(', ');

/** Funding payments of a window by venue, contract and bucket. */
export function settledQuery(scope: Scope, stepMs: number, shifts: readonly Correction[] = []): Query {
  const rows = latestSettlements(['rate', 'mark_price', 'origin'], paymentSpan(scope), shifts);
  return {
    sql: `SELECT ${CELLS} FROM (${rows}) GROUP BY venue, symbol, listed_at, start ORDER BY venue, symbol, listed_at, start`,
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
  };
}

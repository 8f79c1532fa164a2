import { readNumber } from '../../domain/read.ts';
import type { HistoricalValue } from '../../domain/series.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { Correction } from '../corrections/correction.ts';
import { latestSamples } from '../sample-sql.ts';
import type { Cells, Query } from '../store.ts';
import { listingCells, originCell, timeCell } from './cells.ts';
import { paramsOf, type Scope, whereOf } from './scope.ts';

/** The open interest of each contract in a window that is known nearest to a time, the nearest first. */
export function interestQuery(scope: Scope, at: UnixMs, corrections: readonly Correction[]): Query {
  const rows = latestSamples(['open_interest_base', 'open_interest_usd'], whereOf(scope), corrections);
  return {
    // Of one minute, a sample of our own stands before what was back-filled.
    sql:
      'SELECT venue, symbol, toUnixTimestamp(listed_at), toUnixTimestamp(ts), open_interest_base, open_interest_usd, origin ' +
      `FROM (${rows}) WHERE isNotNull(open_interest_base) ORDER BY abs(toInt64(toUnixTimestamp(ts)) * 1000 - {at:Int64}), ts, origin LIMIT 1 BY venue, symbol, listed_at`,
    params: { ...paramsOf(scope), at },
  };
}

/** A row of `interestQuery`; base units. */
export function readInterest(cells: Cells): HistoricalValue {
  return {
    ...listingCells(cells),
    at: timeCell(cells[3]),
    value: readNumber(cells[4]) ?? 0,
    valueUsd: readNumber(cells[5]),
    origin: originCell(cells[6]),
  };
}

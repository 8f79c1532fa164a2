import { readNumber } from '../../domain/read.ts';
import type { HistoricalValue } from '../../domain/series.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { Reading } from '../reading.ts';
import { latestSamples } from '../sample-sql.ts';
import type { Cells, Query } from '../store.ts';
import { countCell, listingCells, originCell, timeCell } from './cells.ts';
import { paramsOf, type Scope, whereOf } from './scope.ts';

/** Seconds to a neighbour that is not there. */
const NONE = 'toInt64(4294967295)';

/**
 * The open interest of each contract in a window that is known nearest to a time, sampled and back-filled apart, the
 * nearest first; with the distance to the nearest value of the same kind, which tells how often there is one.
 */
export function interestQuery(scope: Scope, at: UnixMs, reading: Reading): Query {
  const rows = latestSamples(['open_interest_base', 'open_interest_usd'], whereOf(scope), reading);
  const order = 'PARTITION BY venue, symbol, listed_at, origin ORDER BY ts';
  const neighbour = (of: string, to: string): string =>
    `${of}(toInt64(toUnixTimestamp(ts)), 1, ${NONE}) OVER (${order} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS ${to}`;
  const spaced =
    'SELECT venue, symbol, listed_at, ts, open_interest_base, open_interest_usd, origin, ' +
    `${neighbour('lagInFrame', 'before')}, ${neighbour('leadInFrame', 'after')} FROM (${rows}) WHERE isNotNull(open_interest_base)`;
  const time = 'toInt64(toUnixTimestamp(ts))';
  return {
    // Of one minute, a sample of our own stands before what was back-filled.
    sql:
      'SELECT venue, symbol, toUnixTimestamp(listed_at), toUnixTimestamp(ts), open_interest_base, open_interest_usd, origin, ' +
      `least(abs(${time} - before), abs(after - ${time})), least(before, after) = ${NONE} ` +
      `FROM (${spaced}) ORDER BY abs(${time} * 1000 - {at:Int64}), ts, origin LIMIT 1 BY venue, symbol, listed_at, origin`,
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
    spacingMs: countCell(cells[8]) === 1 ? undefined : countCell(cells[7]) * 1000,
  };
}

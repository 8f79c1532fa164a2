import { readNumber, readText } from '../../domain/read.ts';
import type { StatedInterest } from '../../domain/series.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { Reading } from '../reading.ts';
import { latestSamples } from '../sample-sql.ts';
import type { Cells, Query } from '../store.ts';
import { timeCell } from './cells.ts';
import { seconds } from './scope.ts';

/** A span of whole seconds, both ends included. */
export interface InterestSpan {
  readonly from: UnixMs;
  readonly to: UnixMs;
}

/** The open interest of each asset on each venue as it was sampled last in a span: in USD, or in base units at the mark beside it. */
export function lastInterestQuery({ from, to }: InterestSpan, reading: Reading): Query {
  const where =
    "ts >= toDateTime({from:UInt32}, 'UTC') AND ts <= toDateTime({to:UInt32}, 'UTC') AND origin = 'sampled'";
  const rows = latestSamples(['mark_price', 'open_interest_base', 'open_interest_usd'], where, reading);
  return {
    sql:
      'SELECT canonical_id, venue, toUnixTimestamp(ts), ifNull(open_interest_usd, open_interest_base * mark_price) AS usd ' +
      `FROM (${rows}) WHERE isNotNull(usd) ORDER BY canonical_id, venue, ts DESC LIMIT 1 BY canonical_id, venue`,
    params: { from: seconds(from), to: seconds(to) },
  };
}

/** A row of `lastInterestQuery`. */
export function readLastInterest(cells: Cells): StatedInterest {
  return {
    canonicalId: readText(cells[0]) ?? '',
    venue: readText(cells[1]) ?? '',
    at: timeCell(cells[2]),
    usd: readNumber(cells[3]) ?? 0,
  };
}

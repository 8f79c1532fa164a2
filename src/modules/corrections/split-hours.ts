import type { UnixMs } from '../../domain/units.ts';
import type { Query } from '../../history/store.ts';
import { splitsHour, timeLiteral } from './corrected-sql.ts';
import type { Correction } from './correction.ts';

/**
 * Hours of which a correction covers some samples and not others, and that were rolled up before it was known: asset,
 * first and last of them.
 *
 * @param since hours that may still have their samples
 */
export function splitHoursQuery(correction: Correction, since: UnixMs): Query {
  const contract = 'canonical_id, venue, symbol, listed_at, ts';
  const hours =
    `SELECT ${contract} FROM hours WHERE ts >= toDateTime({since:UInt32}, 'UTC') AND ${splitsHour(correction)} ` +
    `GROUP BY ${contract} HAVING max(recorded_at) < ${timeLiteral(correction.knownAt)}`;
  return {
    sql: `SELECT canonical_id, toUnixTimestamp(min(ts)), toUnixTimestamp(max(ts)) FROM (${hours}) GROUP BY canonical_id`,
    params: { since: Math.floor(since / 1000) },
  };
}

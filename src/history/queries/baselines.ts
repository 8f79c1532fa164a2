import { readNumber, readText } from '../../domain/read.ts';
import type { Baseline } from '../../domain/series.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { hoursFromRollUps } from '../hourly-sql.ts';
import type { Reading } from '../reading.ts';
import type { Cells, Query } from '../store.ts';
import { countCell, timeCell } from './cells.ts';

/** Hours that a baseline needs at least. */
export const BASELINE_MIN_HOURS = 48;

/** Baselines of all contracts, with their hours. */
export interface Baselines {
  readonly list: readonly Baseline[];
  readonly from: UnixMs;
  readonly to: UnixMs;
}

export interface BaselineScope {
  readonly from: UnixMs;
  readonly to: UnixMs;
  readonly minHours: number;
  readonly reading: Reading;
  /** The roll-ups as of this time. */
  readonly asOf?: UnixMs | undefined;
}

/** End of the last hour that was rolled up by a time. */
export const rolledToQuery = (asOf: UnixMs): Query => ({
  sql: 'SELECT toUnixTimestamp(max(ts)), count() FROM hours WHERE recorded_at <= fromUnixTimestamp64Milli({as_of:Int64})',
  params: { as_of: asOf },
});

/** The row of `rolledToQuery`; the epoch where nothing was. */
export const readRolledTo = ([cells = []]: readonly Cells[]): UnixMs =>
  asMs(countCell(cells[1]) === 0 ? 0 : timeCell(cells[0]) + HOUR_MS);

/**
 * Median and median absolute deviation of the hourly means of the 24 h volume in USD, of every contract, from the
 * roll-ups. Of an even count, the median is the mean of the two in the middle.
 */
export function baselineQuery({ from, to, minHours, reading, asOf }: BaselineScope): Query {
  const known = asOf === undefined ? '' : ' AND recorded_at <= fromUnixTimestamp64Milli({as_of:Int64})';
  const where = `ts >= toDateTime({from:UInt32}, 'UTC') AND ts < toDateTime({to:UInt32}, 'UTC')${known}`;
  const median = (values: string) => `arrayReduce('quantileExactInclusive(0.5)', ${values})`;
  const series =
    'SELECT canonical_id, venue, symbol, listed_at, groupArray(volume_usd_sum / volume_usd_n) AS volumes ' +
    `FROM (${hoursFromRollUps({ measures: ['volumeUsd'], reading }, where)}) WHERE volume_usd_n > 0 ` +
    'GROUP BY canonical_id, venue, symbol, listed_at HAVING length(volumes) >= {min_hours:UInt32}';
  return {
    sql:
      `SELECT venue, symbol, toUnixTimestamp(listed_at), canonical_id, length(volumes), ${median('volumes')} AS middle, ` +
      `${median('arrayMap(x -> abs(x - middle), volumes)')} FROM (${series}) ORDER BY canonical_id, venue, symbol, listed_at`,
    params: {
      from: Math.max(0, Math.floor(from / 1000)),
      to: Math.floor(to / 1000),
      min_hours: minHours,
      ...(asOf === undefined ? {} : { as_of: asOf }),
    },
  };
}

/** A row of `baselineQuery`; US dollars. There are thousands of them: nothing is spread. */
export function readBaseline(cells: Cells): Baseline {
  return {
    venue: readText(cells[0]) ?? '',
    symbol: readText(cells[1]) ?? '',
    listedAt: timeCell(cells[2]),
    canonicalId: readText(cells[3]) ?? '',
    hours: countCell(cells[4]),
    median: readNumber(cells[5]) ?? 0,
    mad: readNumber(cells[6]) ?? 0,
  };
}

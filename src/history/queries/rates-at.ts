import { readNumber } from '../../domain/read.ts';
import type { RateAt } from '../../domain/series.ts';
import { asRate, type UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { Reading } from '../reading.ts';
import { latestSamples } from '../sample-sql.ts';
import type { Cells, Query } from '../store.ts';
import { countCell, listingCells, timeCell } from './cells.ts';
import { seconds } from './scope.ts';

/** Full minutes of an asset's past. */
export interface RatesAtScope {
  readonly canonicalId: string;
  /** These venues; all without it. */
  readonly venues?: readonly VenueId[] | undefined;
  readonly minutes: readonly UnixMs[];
  /** The view as of this time of recording. */
  readonly asOf?: UnixMs | undefined;
}

/** Rates that the service itself sampled at some minutes, by contract and time, each with the interval that it came with. */
export function ratesAtQuery({ canonicalId, venues, minutes, asOf }: RatesAtScope, reading: Reading): Query {
  const times = minutes.map(seconds);
  const where = [
    'canonical_id = {canonical_id:String}',
    ...(venues === undefined ? [] : ['venue IN {venues:Array(String)}']),
    ...(asOf === undefined ? [] : ['recorded_at <= fromUnixTimestamp64Milli({as_of:Int64})']),
    "ts >= toDateTime({from:UInt32}, 'UTC') AND ts <= toDateTime({to:UInt32}, 'UTC')",
    `toUnixTimestamp(ts) IN (${times.join(', ')})`,
    "origin = 'sampled'",
  ].join(' AND ');
  const rows = latestSamples(['funding_rate', 'interval_hours'], where, reading);
  return {
    sql:
      'SELECT venue, symbol, toUnixTimestamp(listed_at) AS listed, toUnixTimestamp(ts) AS at, funding_rate, interval_hours ' +
      `FROM (${rows}) WHERE isNotNull(funding_rate) ORDER BY venue, symbol, listed, at`,
    params: {
      canonical_id: canonicalId,
      from: Math.min(...times),
      to: Math.max(...times),
      ...(venues === undefined ? {} : { venues }),
      ...(asOf === undefined ? {} : { as_of: asOf }),
    },
  };
}

/** A row of `ratesAtQuery`. */
export function readRateAt(cells: Cells): RateAt {
  return {
    ...listingCells(cells),
    at: timeCell(cells[3]),
    rate: asRate(countCell(cells[4])),
    intervalHours: readNumber(cells[5]),
  };
}

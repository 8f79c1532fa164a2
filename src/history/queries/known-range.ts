import type { KnownRange, Measure } from '../../domain/series.ts';
import type { PaymentTimes, Reading } from '../reading.ts';
import { paymentRows, rollUpCount, sampleColumn } from '../sample-sql.ts';
import type { Cells, Query } from '../store.ts';
import { countCell, timeCell } from './cells.ts';
import { paramsOf, paymentSpan, type Scope, seconds, whereOf } from './scope.ts';

/** The asset and venues whose known range is asked for, within the span that is given. */
export type KnownScope = Pick<Scope, 'canonicalId' | 'venues' | 'asOf'> & Partial<Pick<Scope, 'from' | 'to'>>;

/** The range of a sampled measure, or of the payments. */
export type Known = Measure | 'settled';

/** A measure or the payments, with the way in which they are read. */
export type KnownReading =
  | { readonly known: Measure; readonly reading: Reading }
  | { readonly known: 'settled'; readonly times: PaymentTimes | undefined };

/**
 * First and last moment of which something is known within a window: in the roll-ups, and in the samples that are
 * younger than they are.
 *
 * @param rolledTo end of the last hour that is rolled up, ms
 */
export function knownRangeQuery(scope: Scope, read: KnownReading, rolledTo: number): Query {
  const ends = 'min(ts) AS first, max(ts) AS last, count() AS n';
  const tables =
    read.known === 'settled'
      ? [`SELECT ${ends} FROM (${paymentRows([], paymentSpan(scope), read.times)})`]
      : [
          `SELECT min(ts) AS first, max(last_ts) AS last, count() AS n FROM hours WHERE ${whereOf(scope)} AND ${read.reading.count(rollUpCount(read.known), read.known)} > 0`,
          `SELECT ${ends} FROM samples WHERE ${whereOf(scope, '{rolled_to:UInt32}')} AND isNotNull(${read.reading.sample(sampleColumn(read.known), read.known)})`,
        ];
  return {
    sql: `SELECT toUnixTimestamp(min(first)), toUnixTimestamp(max(last)), sum(n) FROM (${tables.join(' UNION ALL ')}) WHERE n > 0`,
    params: { ...paramsOf(scope), rolled_to: seconds(Math.max(rolledTo, scope.from)) },
  };
}

/** The row of `knownRangeQuery`; undefined where nothing is known. */
export function readKnownRange(rows: readonly Cells[]): KnownRange | undefined {
  const [cells] = rows;
  if (cells === undefined || countCell(cells[2]) === 0) return undefined;
  return { from: timeCell(cells[0]), to: timeCell(cells[1]) };
}

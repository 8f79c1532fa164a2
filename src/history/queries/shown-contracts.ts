import { readText } from '../../domain/read.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import type { Cells, Query } from '../store.ts';
import { timeCell } from './cells.ts';
import { paramsOf, type Scope, seconds, whereOf } from './scope.ts';

/** The asset and venues whose contracts are asked for, the moment as of which, and the span of which alone. */
export type ShownScope = Pick<Scope, 'canonicalId' | 'venues' | 'asOf'> & Partial<Pick<Scope, 'from' | 'to'>>;

/** The contract that a venue's row showed last, and when. */
export interface LastShown {
  readonly symbol: string;
  readonly at: UnixMs;
}

/** Samples this old are rolled up, on every node. */
const ROLLED_UP_MS = 2 * DAY_MS;

/**
 * The contract that each venue's row of an asset showed last: of a row alone samples are taken. Read from the roll-ups,
 * and of the last two days from the samples; as of a moment from the samples alone, since a roll-up may be younger.
 */
export function shownContractsQuery(scope: ShownScope, now: UnixMs): Query {
  const { asOf, from: since = asMs(0), to: until = asMs(Number.POSITIVE_INFINITY) } = scope;
  const from = asMs(asOf === undefined ? Math.max(since, now - ROLLED_UP_MS) : since);
  const window = { ...scope, from, to: asMs(Math.min(until, (asOf ?? now) + 1000)) };
  const part = (table: string, last: string, where: string): string =>
    `SELECT venue, symbol, max(${last}) AS last FROM ${table} WHERE ${where} AND origin = 'sampled' GROUP BY venue, symbol`;
  const parts = [
    part('samples', 'ts', whereOf(window)),
    ...(asOf === undefined ? [part('hours', 'last_ts', whereOf(window, '{since:UInt32}'))] : []),
  ];
  return {
    sql: `SELECT venue, argMax(symbol, last), toUnixTimestamp(max(last)) FROM (${parts.join(' UNION ALL ')}) GROUP BY venue`,
    params: { ...paramsOf(window), ...(asOf === undefined && { since: seconds(since) }) },
  };
}

/** A row of `shownContractsQuery`. */
export function readShownContract(cells: Cells): readonly [VenueId, LastShown] {
  return [readText(cells[0]) ?? '', { symbol: readText(cells[1]) ?? '', at: timeCell(cells[2]) }];
}

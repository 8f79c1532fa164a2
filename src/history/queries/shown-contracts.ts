import { readText } from '../../domain/read.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import type { Cells, Query } from '../store.ts';
import { paramsOf, type Scope, whereOf } from './scope.ts';

/** The asset and venues whose contracts are asked for, and the moment as of which. */
export type ShownScope = Pick<Scope, 'canonicalId' | 'venues' | 'asOf'>;

/** Samples this old are rolled up, on every node. */
const ROLLED_UP_MS = 2 * DAY_MS;

/**
 * The contract that each venue's row of an asset showed last: of a row alone samples are taken. Read from the roll-ups,
 * and of the last two days from the samples; as of a moment from the samples alone, since a roll-up may be younger.
 */
export function shownContractsQuery(scope: ShownScope, now: UnixMs): Query {
  const { asOf } = scope;
  const from = asMs(asOf === undefined ? Math.max(0, now - ROLLED_UP_MS) : 0);
  const window = { ...scope, from, to: asMs((asOf ?? now) + 1000) };
  const part = (table: string, last: string, where: string): string =>
    `SELECT venue, symbol, max(${last}) AS last FROM ${table} WHERE ${where} AND origin = 'sampled' GROUP BY venue, symbol`;
  const parts = [
    part('samples', 'ts', whereOf(window)),
    ...(asOf === undefined ? [part('hours', 'last_ts', whereOf(window, '0'))] : []),
  ];
  return {
    sql: `SELECT venue, argMax(symbol, last) FROM (${parts.join(' UNION ALL ')}) GROUP BY venue`,
    params: paramsOf(window),
  };
}

/** A row of `shownContractsQuery`: a venue and its own symbol. */
export function readShownContract(cells: Cells): readonly [VenueId, string] {
  return [readText(cells[0]) ?? '', readText(cells[1]) ?? ''];
}

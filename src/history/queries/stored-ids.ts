import { readText } from '../../domain/read.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { Cells, Query } from '../store.ts';
import { seconds } from './scope.ts';

/** The ids of which something is looked for in a window, and the table in which it lies. */
export interface StoredScope {
  readonly table: 'hours' | 'settlements';
  readonly ids: readonly string[];
  /** Included. */
  readonly from: UnixMs;
  /** Not included. */
  readonly to: UnixMs;
}

/** Those of some ids under which anything is stored in a window. */
export function storedIdsQuery({ table, ids, from, to }: StoredScope): Query {
  const times = "ts >= toDateTime({from:UInt32}, 'UTC') AND ts < toDateTime({to:UInt32}, 'UTC')";
  return {
    sql: `SELECT DISTINCT canonical_id FROM ${table} WHERE canonical_id IN {ids:Array(String)} AND ${times}`,
    params: { ids, from: seconds(from), to: seconds(to) },
  };
}

/** A row of `storedIdsQuery`. */
export const readStoredId = ([id]: Cells): string => readText(id) ?? '';

import type { Cells } from '../store.ts';
import { countCell } from './cells.ts';

/** Cells that name an hour of a contract: venue, symbol, time of listing, start. */
const KEY = 4;

function compare(x: unknown, y: unknown): number {
  if (typeof x !== 'string' || typeof y !== 'string') return countCell(x) - countCell(y);
  return x < y ? -1 : x > y ? 1 : 0;
}

function compareKeys(a: Cells, b: Cells): number {
  for (let at = 0; at < KEY; at++) {
    const order = compare(a[at], b[at]);
    if (order !== 0) return order;
  }
  return 0;
}

/**
 * The latest revision of each hour, by contract and time, from rows whose last cell is when they were recorded. They
 * come as they lie, sorted in parts: for so few rows, putting the parts together costs the engine more than it costs us.
 * Of two that were recorded in the same millisecond the one that was written later stands, which lies later.
 */
export function latestHours(rows: readonly Cells[]): readonly Cells[] {
  const sorted = [...rows].sort((a, b) => compareKeys(a, b) || compare(a.at(-1), b.at(-1)));
  return sorted.filter((cells, at) => {
    const after = sorted[at + 1];
    return after === undefined || compareKeys(cells, after) !== 0;
  });
}

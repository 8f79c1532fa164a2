import type { UnixMs } from '../domain/units.ts';
import type { DelayedTable } from './delayed-table.ts';
import type { MarketRow } from './view.ts';

/** Snapshots of the rows of a few assets, and of the whole table of some time ago. */
export interface RowSnapshots {
  /** The youngest recorded rows of the asset that are at least as old as `at`; undefined = none yet. */
  rowsAsOf(canonicalId: string, at: UnixMs): readonly MarketRow[] | undefined;
  readonly delayed: DelayedTable;
}

interface RowSnapshot {
  readonly at: UnixMs;
  readonly rows: ReadonlyMap<string, readonly MarketRow[]>;
}

/** Keeps snapshots for `spanMs`, one every `everyMs`. Rows are immutable, so a snapshot is a list of references. */
export interface RowSnapshotRing extends Pick<RowSnapshots, 'rowsAsOf'> {
  /** True if the next snapshot is due. */
  due(now: UnixMs): boolean;
  record(now: UnixMs, rowsOf: (canonicalId: string) => readonly MarketRow[]): void;
}

/**
 * @param spanMs how far back snapshots are kept, ms
 * @param everyMs time between two, ms
 */
export function createRowSnapshotRing(
  canonicalIds: readonly string[],
  spanMs: number,
  everyMs: number,
): RowSnapshotRing {
  const snapshots: RowSnapshot[] = [];
  return {
    due(now) {
      // Of a time that is still to come, since the clock was set back.
      while ((snapshots.at(-1)?.at ?? now) > now) snapshots.pop();
      return canonicalIds.length > 0 && now - (snapshots.at(-1)?.at ?? 0) >= everyMs;
    },
    record(now, rowsOf) {
      snapshots.push({ at: now, rows: new Map(canonicalIds.map((id) => [id, rowsOf(id)])) });
      while (now - (snapshots[1]?.at ?? now) > spanMs) snapshots.shift();
    },
    rowsAsOf(canonicalId, at) {
      const snapshot = snapshots.findLast((it) => it.at <= at);
      return snapshot?.rows.get(canonicalId);
    },
  };
}

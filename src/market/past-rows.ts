import type { UnixMs } from '../domain/units.ts';
import type { MarketRow } from './view.ts';

/** Rows of a few assets as they were a short while ago. */
export interface PastRows {
  /** The youngest recorded rows of the asset that are at least as old as `at`; undefined = none yet. */
  rowsAsOf(canonicalId: string, at: UnixMs): readonly MarketRow[] | undefined;
}

interface Moment {
  readonly at: UnixMs;
  readonly rows: ReadonlyMap<string, readonly MarketRow[]>;
}

/** Keeps moments for `spanMs`, one every `everyMs`. Rows are immutable, so a moment is a list of references. */
export interface PastRing extends PastRows {
  /** Whether the next moment is due. */
  due(now: UnixMs): boolean;
  record(now: UnixMs, rowsOf: (canonicalId: string) => readonly MarketRow[]): void;
}

export function createPastRing(canonicalIds: readonly string[], spanMs: number, everyMs: number): PastRing {
  const moments: Moment[] = [];
  return {
    due: (now) => canonicalIds.length > 0 && now - (moments.at(-1)?.at ?? 0) >= everyMs,
    record(now, rowsOf) {
      moments.push({ at: now, rows: new Map(canonicalIds.map((id) => [id, rowsOf(id)])) });
      while (now - (moments[1]?.at ?? now) > spanMs) moments.shift();
    },
    rowsAsOf(canonicalId, at) {
      const moment = moments.findLast((it) => it.at <= at);
      return moment?.rows.get(canonicalId);
    },
  };
}

import { DAY_MS } from '../../runtime/duration.ts';
import type { WatchStore } from './watch-store.ts';

/** A watch can be read for so long after its end. */
const KEPT_MS = 7 * DAY_MS;
/** Firings of an operator's rule are kept for so long. */
const RULE_FIRINGS_MS = 30 * DAY_MS;

/**
 * Lets go of watches that ended long ago, and of old firings of rules. A rule that has told all its firings stays, since it is not to
 * begin again. Returns the watches that are gone; none where another process holds them.
 */
export function dropOld(store: WatchStore, owner: string, now: number): readonly string[] {
  const dropped: string[] = [];
  for (const { id, rule, endedAt, endReason } of store.watches()) {
    const isOver = endedAt !== undefined && now - endedAt > KEPT_MS;
    if (isOver && (rule === undefined || endReason !== 'all_firings')) dropped.push(id);
    else if (rule !== undefined) store.trim(id, now - RULE_FIRINGS_MS);
  }
  return dropped.length > 0 && store.save({ dropped }, owner) ? dropped : [];
}

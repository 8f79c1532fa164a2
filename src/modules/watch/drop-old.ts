import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import { type Soon, soon } from '../tables/soon.ts';
import type { WatchStore } from './watch-store.ts';

/** A watch can be read for so long after its end. */
const KEPT_MS = 7 * DAY_MS;
/** Firings of an operator's rule are kept for so long. */
const RULE_FIRINGS_MS = 30 * DAY_MS;

/** Lets go of watches that ended long ago, and of old firings of rules, once an hour. */
export class OldWatches {
  readonly #store: WatchStore;
  readonly #owner: string;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(store: WatchStore, owner: string) {
    this.#store = store;
    this.#owner = owner;
  }

  /**
   * Ids of the watches that are gone; none where another process holds them. A rule that has told all its firings stays, since it is not
   * to begin again.
   */
  drop(now: number): Soon<readonly string[]> {
    if (now - this.#sweptAt < HOUR_MS) return [];
    this.#sweptAt = now;
    const dropped: string[] = [];
    const trimmed: Promise<void>[] = [];
    for (const { id, rule, endedAt, endReason } of this.#store.watches()) {
      const isOver = endedAt !== undefined && now - endedAt > KEPT_MS;
      if (isOver && (rule === undefined || endReason !== 'all_firings')) dropped.push(id);
      else if (rule !== undefined) {
        const done = this.#store.trim(id, now - RULE_FIRINGS_MS);
        if (done instanceof Promise) trimmed.push(done);
      }
    }
    const isDropped = dropped.length > 0 && this.#store.save({ dropped }, this.#owner);
    const gone = soon(isDropped, (isGone) => (isGone ? dropped : []));
    return trimmed.length === 0 ? gone : Promise.all([gone, ...trimmed]).then(([ids]) => ids);
  }
}

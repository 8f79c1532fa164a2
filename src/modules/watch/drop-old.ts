import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import type { Lease } from '../tables/lease.ts';
import { type Soon, soon } from '../tables/soon.ts';
import type { WatchStore } from './watch-store.ts';

/** A watch can be read for so long after its end. */
const KEPT_MS = 7 * DAY_MS;
/** Firings of an operator's rule are kept for so long. */
const RULE_FIRINGS_MS = 30 * DAY_MS;

/** Lets go of watches that ended long ago, and of old firings of rules: looks for them once an hour, and drops them in parts. */
export class OldWatches {
  readonly #store: WatchStore;
  readonly #lease: Pick<Lease, 'tenure'>;
  readonly #part: number;
  #sweptAt = Number.NEGATIVE_INFINITY;
  /** Ids of watches that are to go. */
  #over: readonly string[] = [];
  /** Ids of rules whose old firings are to go. */
  #rules: readonly string[] = [];

  /** @param part rows that are dropped at once, two or more */
  constructor(store: WatchStore, lease: Pick<Lease, 'tenure'>, part: number) {
    this.#store = store;
    this.#lease = lease;
    this.#part = part;
  }

  /**
   * Ids of the watches that are gone; none where another process holds them. To be called in every turn: each drops one part. The
   * next hour begins again where the store does not take one.
   */
  drop(now: number): Soon<readonly string[]> {
    if (now - this.#sweptAt >= HOUR_MS) this.#find(now);
    const [rule] = this.#rules;
    if (rule !== undefined) return this.#trim(rule, now);
    return this.#over.length > 0 ? this.#dropPart() : [];
  }

  /** A rule that has used all its firings stays, since it is not to begin again. */
  #find(now: number): void {
    this.#sweptAt = now;
    const over: string[] = [];
    const rules: string[] = [];
    for (const { id, rule, endedAt, endReason } of this.#store.watches()) {
      const isOver = endedAt !== undefined && now - endedAt > KEPT_MS;
      if (isOver && (rule === undefined || endReason !== 'all_firings')) over.push(id);
      else if (rule !== undefined) rules.push(id);
    }
    this.#over = over;
    this.#rules = rules;
  }

  #trim(rule: string, now: number): Soon<readonly string[]> {
    const rules = this.#rules;
    this.#rules = [];
    return soon(this.#store.trim(rule, now - RULE_FIRINGS_MS, this.#part), (hasMore) => {
      this.#rules = hasMore ? rules : rules.slice(1);
      return [];
    });
  }

  #dropPart(): Soon<readonly string[]> {
    const over = this.#over;
    this.#over = [];
    return soon(this.#store.drop(over, this.#part, this.#lease.tenure), (gone) => {
      this.#over = over.slice(gone.length);
      return gone;
    });
  }
}

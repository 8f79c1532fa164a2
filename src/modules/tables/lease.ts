import type { Clock } from '../../domain/clock.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import { isOwnerGone } from '../../storage/process-owner.ts';
import { type Soon, soon } from './soon.ts';

/** The process that does a work that one alone does, and until when nobody else may. */
export interface Holder {
  readonly owner: string;
  /** Number of this tenure, greater than those before; absent = 0. */
  readonly term?: number;
  /** Unix ms. */
  readonly until: number;
  /** The time up to which its work is on the disk, Unix ms. */
  readonly aliveAt: number;
  /** Things that it works on. */
  readonly held: number;
}

/** The time in which a process holds a lease without a break: a store that others have held since is of another one. */
export interface Tenure {
  readonly owner: string;
  readonly term: number;
}

export const isTenureOf = (holder: Holder | undefined, { owner, term }: Tenure): boolean =>
  holder?.owner === owner && (holder.term ?? 0) === term;

/** Keeps the holder of a lease where all processes that may take it see it. */
export interface LeaseStore {
  readonly holder: Holder | undefined;
  /** Puts what `next` makes of the stored holder in its place, unless that is undefined; true where it is. */
  hold(next: (stored: Holder | undefined) => Holder | undefined): Soon<boolean>;
}

/** A holder says so this often, and loses the lease when it has not for `LEASE_MS`. */
const BEAT_MS = 2 * SECOND_MS;
const LEASE_MS = 10 * SECOND_MS;

/** A change of who holds the lease, and until when it was held before. */
export interface Beat {
  readonly change: 'taken' | 'lost' | undefined;
  /** Unix ms. */
  readonly aliveAt: number;
}

/**
 * The lease by which one process works on what a store keeps, whichever host it is of. One whose process is gone from this host is
 * taken over at once. The store fences by the tenure: it refuses what a former holder writes.
 */
export class Lease {
  readonly #store: LeaseStore;
  readonly #owner: string;
  #beatAt = Number.NEGATIVE_INFINITY;
  #until = 0;
  #holds = false;
  #isSettled = false;
  #settledAt = 0;
  #term = 0;

  constructor(store: LeaseStore, owner: string) {
    this.#store = store;
    this.#owner = owner;
  }

  get holds(): boolean {
    return this.#holds;
  }

  /** The present tenure, or the last one. */
  get tenure(): Tenure {
    return { owner: this.#owner, term: this.#term };
  }

  /** True once what this process has taken up is on the disk: only then it counts as worked on. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** All work up to now is on the disk: a kill from here on loses none of it. */
  settled(now: number): void {
    this.#isSettled = true;
    this.#settledAt = now;
  }

  /** Holds the lease no more; the next beat takes it again where nobody else has. */
  drop(): void {
    this.#holds = false;
    this.#isSettled = false;
  }

  /**
   * Keeps the lease, or takes it where it is free. To be called in every turn. It is taken, not kept, where another process has had it
   * since the last beat: what this one knows of the store is old then. The time is read where the stored holder is: the first answer
   * of a store on a server sets it.
   *
   * @param held things that are worked on
   */
  beat(clock: Clock, held: number): Soon<Beat> {
    const at = clock.now();
    if (at >= this.#beatAt && at - this.#beatAt < BEAT_MS) return { change: undefined, aliveAt: at };
    this.#beatAt = at;
    const owner = this.#owner;
    let aliveAt = 0;
    let term = this.#term;
    let now: number = at;
    const taken = this.#store.hold((stored) => {
      now = clock.now();
      aliveAt = stored?.aliveAt ?? 0;
      if (!this.#mayTake(stored, now)) return undefined;
      const until = now + LEASE_MS;
      const isKept = this.#holds && stored?.owner === owner && stored.term === this.#term;
      term = isKept ? this.#term : (stored?.term ?? 0) + 1;
      return { owner, term, until, aliveAt: isKept ? this.#aliveAt(stored) : aliveAt, held };
    });
    return soon(taken, (holds) => {
      const change = this.#changeTo(holds, term);
      this.#holds = holds;
      this.#term = term;
      this.#until = now + LEASE_MS;
      if (change !== undefined) this.#isSettled = false;
      return { change, aliveAt };
    });
  }

  #aliveAt(stored: Holder): number {
    return this.#isSettled ? this.#settledAt : stored.aliveAt;
  }

  #changeTo(holds: boolean, term: number): Beat['change'] {
    if (!holds) return this.#holds ? 'lost' : undefined;
    return this.#holds && term === this.#term ? undefined : 'taken';
  }

  #mayTake(stored: Holder | undefined, now: number): boolean {
    if (stored === undefined || stored.owner === this.#owner) return true;
    return stored.until <= now || isOwnerGone(stored.owner);
  }

  /** The store has not answered: the next turn asks again. True where another process may hold the lease by now. */
  unanswered(now: number): boolean {
    this.#beatAt = Number.NEGATIVE_INFINITY;
    return this.#holds && now >= this.#until;
  }

  /** Lets another process take it at once. */
  giveBack(): Soon<boolean> {
    const { owner, term } = this.tenure;
    const settledAt = this.#isSettled ? this.#settledAt : undefined;
    this.drop();
    return this.#store.hold((stored) => {
      if (stored?.owner !== owner || stored.term !== term) return undefined;
      return { owner, term, until: 0, aliveAt: settledAt ?? stored.aliveAt, held: 0 };
    });
  }
}

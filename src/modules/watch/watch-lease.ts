import { SECOND_MS } from '../../runtime/duration.ts';
import { isOwnerGone } from '../../storage/process-owner.ts';
import type { WatchStore } from './watch-store.ts';

/** A process that holds the watches says so this often, and loses them when it has not for `LEASE_MS`. */
const BEAT_MS = 2 * SECOND_MS;
const LEASE_MS = 10 * SECOND_MS;

/** A change of who holds the watches, and until when they were held before. */
interface Beat {
  readonly change: 'taken' | 'lost' | undefined;
  /** Unix ms. */
  readonly aliveAt: number;
}

/** The lease by which one process of a store holds its watches. One whose process is gone is taken over at once. */
export class WatchLease {
  readonly #store: WatchStore;
  readonly #owner: string;
  #beatAt = Number.NEGATIVE_INFINITY;
  #holds = false;
  #isSettled = false;

  constructor(store: WatchStore, owner: string) {
    this.#store = store;
    this.#owner = owner;
  }

  get holds(): boolean {
    return this.#holds;
  }

  /** True once what this process has taken up is on the disk: only then the watches count as watched by it. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  settled(): void {
    this.#isSettled = true;
  }

  /** Holds the watches no more; the next beat takes them again where nobody else has. */
  drop(): void {
    this.#holds = false;
    this.#isSettled = false;
  }

  /**
   * Keeps the lease, or takes it where it is free. To be called in every turn.
   *
   * @param held watches that are held
   */
  beat(now: number, held: number): Beat {
    if (now - this.#beatAt < BEAT_MS) return { change: undefined, aliveAt: now };
    const had = this.#holds;
    const before = this.#store.holder;
    const aliveAt = before?.aliveAt ?? 0;
    this.#beatAt = now;
    this.#holds = this.#store.hold(
      { owner: this.#owner, until: now + LEASE_MS, aliveAt: this.#isSettled ? now : aliveAt, held },
      (stored) =>
        stored === undefined ||
        stored.owner === this.#owner ||
        stored.until <= now ||
        isOwnerGone(stored.owner),
    );
    const change = this.#holds === had ? undefined : this.#holds ? 'taken' : 'lost';
    if (change !== undefined) this.#isSettled = false;
    return { change, aliveAt };
  }

  /** Lets another process take it at once. */
  giveBack(now: number): void {
    const mine = { owner: this.#owner, until: 0, aliveAt: now, held: 0 };
    this.#store.hold(mine, (stored) => stored?.owner === this.#owner);
    this.drop();
  }
}

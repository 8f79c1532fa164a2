import type { ContractState, QuoteChange } from '../../market/contract.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import { type Beat, Lease } from '../tables/lease.ts';
import { type Soon, soon } from '../tables/soon.ts';
import { recordOf } from './asked-questions.ts';
import { OldWatches } from './drop-old.ts';
import type { EngineCounts, WatchEngineOptions } from './engine-options.ts';
import { HeldWatches } from './held-watches.ts';
import { Judging } from './judging.ts';
import { Looks } from './looks.ts';
import { StoreAnswers } from './store-answers.ts';
import { type Unsaved, UnsavedChanges } from './unsaved-changes.ts';
import type { WatchRecord } from './watch-record.ts';
import type { Addition } from './watch-store.ts';

/** Time between two turns of the engine. */
export const TURN_MS = 250;
/** Every question is reached in a round of this length. */
const ROUND_MS = 5 * SECOND_MS;
/** A server takes so many watches at once well within the time that it has for a statement. */
const PART = 500;

/**
 * Holds watches: has the questions asked whose rows changed, stores what that changes, and then tells it. One process of a store
 * holds all of its watches, by a lease; the others take purchases, and read.
 */
export class WatchEngine {
  readonly #options: WatchEngineOptions;
  readonly #held = new HeldWatches();
  readonly #unsaved = new UnsavedChanges();
  readonly #judging: Judging;
  readonly #looks: Looks;
  readonly #lease: Lease;
  readonly #old: OldWatches;
  readonly #answers = new StoreAnswers((cause) => this.#fault(cause));
  #additions = -1;
  #firings = 0;
  #failures = 0;

  constructor(options: WatchEngineOptions) {
    this.#options = options;
    this.#lease = new Lease(options.store, options.owner);
    this.#old = new OldWatches(options.store, this.#lease, options.part ?? PART);
    this.#judging = new Judging({
      held: this.#held,
      unsaved: this.#unsaved,
      statementOf: options.statementOf,
      onFault: (cause) => this.#fault(cause),
    });
    this.#looks = new Looks({
      ...options,
      observe: (watches, lookOf, now) => this.#judging.observe(watches, lookOf, now),
      restated: (watches, seen, now) => this.#judging.restated(watches, seen, now),
      judged: () => this.#settle(),
      onError: (cause) => this.#fault(cause),
    });
  }

  get counts(): EngineCounts {
    const { looks, crowded } = this.#looks.counts;
    return { looks, crowded, firings: this.#firings, failures: this.#failures };
  }

  /** True while this process holds the watches. */
  get holds(): boolean {
    return this.#lease.holds;
  }

  /** Number of the time in which this process holds the watches, or last held them. */
  get term(): number {
    return this.#lease.tenure.term;
  }

  get questions(): number {
    return this.#held.questions.size;
  }

  /** Watches that are held here and have not ended. */
  get size(): number {
    return this.#held.size;
  }

  /** Watches that are held by whichever process holds them. */
  get total(): number {
    return this.holds ? this.#held.size : (this.#options.store.holder?.held ?? 0);
  }

  /** The watches as they are now; of another process as it has stored them. */
  *records(): Iterable<WatchRecord> {
    for (const stored of this.#options.store.watches()) {
      const held = this.#held.get(stored.id);
      yield held === undefined ? stored : recordOf(held);
    }
  }

  record(id: string): WatchRecord | undefined {
    const held = this.#held.get(id);
    return held === undefined ? this.#options.store.watch(id) : recordOf(held);
  }

  /** Hears that values of a contract changed. */
  touch(state: ContractState, change: QuoteChange): void {
    if (this.#held.size > 0) this.#held.questions.touch(state, change);
  }

  /** A watch that was added or renewed by this process, and stored. Where others have added some before it, the turn reads all. */
  added({ record, additions }: Addition): void {
    if (!this.holds) return;
    if (additions === this.#additions + 1) this.#additions = additions;
    this.#take(record);
  }

  /**
   * Puts a watch in the place of the one of its id, which goes without a word.
   *
   * @param update changes what is stored; undefined where nothing is to change
   */
  replace(update: () => Soon<Addition | undefined>): Soon<void> {
    // A look at the former watch that is made meanwhile must not be written over the new one.
    return this.#answers.ask(() =>
      soon(update(), (addition) => {
        if (addition !== undefined) this.#replaced(addition);
      }),
    );
  }

  #replaced(addition: Addition): void {
    const held = this.#held.get(addition.record.id);
    if (held !== undefined) {
      this.#unsaved.forget(held);
      this.#held.remove(held);
    }
    this.added(addition);
  }

  /** Ends a watch that is held here before its time. */
  end(id: string, reason: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.#judging.end(held, reason, this.#options.clock.now());
    this.#settle();
  }

  /** One turn: to be called every `TURN_MS`. None begins before the store has answered what it was asked. */
  turn(): void {
    if (!this.#answers.isWaiting) this.#beat((beat) => this.#turn(beat));
  }

  #beat(next: (beat: Beat) => void): void {
    const { clock } = this.#options;
    this.#answers.when(this.#lease.beat(clock, this.#held.size), next, () => {
      if (this.#lease.unanswered(clock.now())) this.#release();
    });
  }

  #turn({ change, aliveAt }: Beat): void {
    const now = this.#options.clock.now();
    if (change !== undefined) this.#letGo();
    if (change === 'taken') this.#readAll(aliveAt);
    if (!this.holds) return;
    if (this.#options.store.additions !== this.#additions) this.#readAll();
    this.#judging.passTime(now);
    this.#looks.turn(this.#held.questions, TURN_MS / ROUND_MS, now);
    this.#settle();
    this.#sweep(now);
  }

  /** Stores what is to be stored, and lets another process hold the watches. */
  async stop(): Promise<void> {
    await this.answered();
    if (!this.holds) return;
    this.#settle();
    await this.answered();
    try {
      if (this.holds) await this.#lease.giveBack();
    } catch (cause) {
      this.#fault(cause);
    }
  }

  /** Resolved once the store has answered all that it was asked. Rejects never. */
  answered(): Promise<void> {
    return this.#answers.all();
  }

  #letGo(): void {
    for (const { record } of this.#held.all()) this.#options.listener.released(record.id);
    this.#held.clear();
    this.#unsaved.clear();
    this.#looks.clear();
  }

  /** @param aliveAt until when another process watched them; undefined where that has sold some which nobody watches yet */
  #readAll(aliveAt?: number): void {
    const { store } = this.#options;
    this.#additions = store.additions;
    for (const record of store.watches())
      this.#take(record, aliveAt === undefined ? undefined : Math.max(record.seenAt, aliveAt));
  }

  /** @param watchedUntil of one that another process, or this one before it was started again, has looked at: until when */
  #take(record: WatchRecord, watchedUntil?: number): void {
    const { routes, listener, clock } = this.#options;
    const known = this.#held.get(record.id);
    if (known !== undefined) {
      if (this.#held.renew(known, record)) listener.held(known.record);
      return;
    }
    listener.held(record);
    if (record.endedAt !== undefined) return;
    const { held, fault } = this.#held.add(record, routes);
    if (fault !== undefined) this.#fault(new Error(`${record.id} cannot be looked at: ${fault}`));
    if (watchedUntil !== undefined) this.#judging.resume(held, watchedUntil, clock.now());
  }

  /**
   * Writes what has changed, in parts; where the disk does not take one, all is as it was before, and is looked at again. A server may
   * have taken what it did not answer: the watches are let go then, and taken up as it has them.
   */
  #settle(): void {
    if (this.#answers.isWaiting) return;
    const { store, clock, part = PART } = this.#options;
    const unsaved = this.#unsaved.take(part);
    const now = clock.now();
    try {
      const watches = unsaved.changes.map(({ record }) => record);
      const isSaved =
        watches.length === 0 || store.save({ watches, firings: unsaved.told }, this.#lease.tenure);
      this.#answers.when(
        isSaved,
        (saved) => (saved ? this.#saved(unsaved, now) : this.#release()),
        () => this.#release(),
      );
    } catch (cause) {
      this.#fault(cause);
      this.#undo();
    }
  }

  #saved(unsaved: Unsaved, now: number): void {
    this.#unsaved.saved(unsaved);
    for (const { held, record } of unsaved.changes) if (record.endedAt !== undefined) this.#held.remove(held);
    this.#firings += unsaved.told.length;
    for (const firing of unsaved.told) this.#options.listener.told(firing);
    if (this.#unsaved.isEmpty) this.#lease.settled(now);
    else this.#beat((beat) => (beat.change === undefined ? this.#settle() : this.#turn(beat)));
  }

  /** Undoes what was not written. Watches just taken up are let go, and taken up again from when they were watched before. */
  #undo(): void {
    if (!this.#lease.isSettled) {
      this.#release();
      return;
    }
    for (const held of this.#unsaved.undo()) this.#held.place(held);
    this.#held.questions.touchAll();
  }

  #release(): void {
    this.#lease.drop();
    this.#letGo();
  }

  #sweep(now: number): void {
    if (!this.holds || this.#answers.isWaiting) return;
    const forget = (ids: readonly string[]): void => ids.forEach(this.#options.listener.forgotten);
    this.#answers.when(this.#old.drop(now), forget, () => {});
  }

  #fault(cause: unknown): void {
    this.#failures += 1;
    this.#options.onError(cause);
  }
}

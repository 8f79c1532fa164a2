import type { Route } from '../../api/route.ts';
import type { Clock } from '../../domain/clock.ts';
import type { ContractState, QuoteChange } from '../../market/contract.ts';
import type { Ports } from '../../products/define-product.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../runtime/duration.ts';
import type { Firing } from '../webhook/firing.ts';
import { type AskedQuestion, AskedQuestions, type Held } from './asked-questions.ts';
import type { Observation } from './judge.ts';
import { termsOf } from './judge.ts';
import { endFor, endIfOver, FAILED, type Looked, look, lookAtEvents } from './look.ts';
import { ask, type Question, questionOf } from './question.ts';
import { WatchLease } from './watch-lease.ts';
import type { WatchRecord } from './watch-record.ts';
import { resumed } from './watch-state.ts';
import type { WatchStore } from './watch-store.ts';

/** Time between two turns of the engine. */
export const TURN_MS = 250;
/** Every question is reached in a round of this length, whether its data changed or not. */
const ROUND_MS = 5 * SECOND_MS;
/** Looks of one turn; what is left has its turn next. */
const TURN_BUDGET_MS = 100;
/** A question without an answer for so long has failed, and is asked again. */
const ANSWER_MS = MINUTE_MS;
/** A watch can be read for so long after its end. */
export const KEPT_MS = 7 * DAY_MS;
/** Firings of an operator's rule are kept for so long. */
const RULE_FIRINGS_MS = 30 * DAY_MS;

/** Hears what watches tell, once it is on the disk. */
export interface WatchListener {
  /** A watch is held by this process from now on, or was renewed. */
  held(record: WatchRecord): void;
  /** Another process holds it from now on. */
  released(id: string): void;
  /** It ended long ago, and nothing of it is kept any more. */
  forgotten(id: string): void;
  told(firing: Firing): void;
}

export interface WatchEngineOptions {
  readonly store: WatchStore;
  readonly ports: Ports;
  readonly routes: readonly Route[];
  readonly clock: Clock;
  /** Name of this process. */
  readonly owner: string;
  readonly listener: WatchListener;
  /** Signs the statement of a watch that has ended; undefined where no key signs. */
  readonly statementOf: (record: WatchRecord) => string | undefined;
  /** Takes a fault that harms no watch for good: the look is made again. */
  readonly onError: (cause: unknown) => void;
}

/** Counts of the engine, since start. */
export interface EngineCounts {
  looks: number;
  firings: number;
  /** Turns that had more to look at than fits into one. */
  crowded: number;
  /** Looks and writes that failed, and are made again. */
  failures: number;
}

/**
 * Holds watches: looks at the questions whose rows changed, stores what that changes, and then tells it. One process of a store
 * holds all of its watches, by a lease; the others take purchases, and read.
 */
export class WatchEngine {
  readonly counts: EngineCounts = { looks: 0, firings: 0, crowded: 0, failures: 0 };
  readonly #options: WatchEngineOptions;
  readonly #questions = new AskedQuestions();
  /** Without a question is one that no product of this service answers. */
  readonly #held = new Map<string, { readonly held: Held; readonly question: Question | undefined }>();
  /** Watches that fire once they have held for long enough. */
  readonly #holding = new Set<Held>();
  /** Changed watches of this turn with when they were looked at before, and what they tell, until the disk has them. */
  readonly #changed = new Map<Held, number>();
  #told: Firing[] = [];
  #left: readonly AskedQuestion[] = [];
  #additions = -1;
  readonly #lease: WatchLease;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(options: WatchEngineOptions) {
    this.#options = options;
    this.#lease = new WatchLease(options.store, options.owner);
  }

  /** True while this process holds the watches. */
  get holds(): boolean {
    return this.#lease.holds;
  }

  get questions(): number {
    return this.#questions.size;
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
    for (const stored of this.#options.store.watches())
      yield this.#held.get(stored.id)?.held.record ?? stored;
  }

  record(id: string): WatchRecord | undefined {
    return this.#held.get(id)?.held.record ?? this.#options.store.watch(id);
  }

  /** Hears that values of a contract changed. */
  touch(state: ContractState, change: QuoteChange): void {
    if (this.#held.size > 0) this.#questions.touch(state, change);
  }

  /** A watch that was added or renewed by this process, and stored. */
  added(record: WatchRecord): void {
    if (!this.holds) return;
    this.#additions += 1;
    this.#take(record);
  }

  /** A watch in the place of the one of its id, which goes without a word. */
  replaced(record: WatchRecord): void {
    const known = this.#held.get(record.id);
    if (known !== undefined) this.#forget(known.held);
    this.added(record);
  }

  /** Ends a watch that is held here before its time. */
  end(id: string, reason: string): void {
    const known = this.#held.get(id);
    if (known === undefined) return;
    this.#close(known.held, endFor(known.held.record, reason, this.#options.clock.now()));
    this.#settle();
  }

  /** One turn: to be called every `TURN_MS`. */
  turn(): void {
    const { clock, store } = this.#options;
    const now = clock.now();
    this.#beat(now);
    if (!this.holds) return;
    if (store.additions !== this.#additions) this.#readAdditions();
    this.#passTime(now);
    for (const held of this.#holding) this.#touchIfHeldLongEnough(held, now);
    this.#lookAt([...new Set([...this.#left, ...this.#questions.due(now, TURN_MS / ROUND_MS)])], now);
    this.#settle();
    if (this.holds) this.#sweep(now);
  }

  /** Stores what is to be stored, and lets another process hold the watches. */
  stop(): void {
    if (!this.holds) return;
    const now = this.#options.clock.now();
    for (const { held } of this.#held.values()) this.#note(held, { ...held.record, seenAt: held.seenAt });
    this.#settle();
    if (this.holds) this.#lease.giveBack(now);
  }

  #beat(now: number): void {
    const { change, aliveAt } = this.#lease.beat(now, this.#held.size);
    if (change === 'taken') this.#takeAll(aliveAt);
    if (change === 'lost') this.#letGo();
  }

  #letGo(): void {
    for (const { held, question } of this.#held.values()) {
      if (question !== undefined) this.#questions.remove(question.key, held);
      this.#options.listener.released(held.record.id);
    }
    this.#held.clear();
    this.#holding.clear();
    this.#changed.clear();
    this.#told = [];
    this.#left = [];
  }

  #takeAll(aliveAt: number): void {
    const { store } = this.#options;
    this.#additions = store.additions;
    for (const record of store.watches()) this.#take(record, Math.max(record.seenAt, aliveAt));
  }

  /** Another process has sold some: they are read again. */
  #readAdditions(): void {
    const { store } = this.#options;
    this.#additions = store.additions;
    for (const record of store.watches()) this.#take(record);
  }

  /** @param watchedUntil of one that another process, or this one before it was started again, has looked at: until when */
  #take(record: WatchRecord, watchedUntil?: number): void {
    const { routes, listener, clock } = this.#options;
    const known = this.#held.get(record.id);
    if (known !== undefined) {
      const { held } = known;
      const isRenewed = record.sales.length > held.record.sales.length;
      held.record = { ...held.record, endsAt: record.endsAt, sales: record.sales };
      held.stored = { ...held.stored, endsAt: record.endsAt, sales: record.sales };
      if (isRenewed) listener.held(held.record);
      return;
    }
    listener.held(record);
    if (record.endedAt !== undefined) return;
    const held: Held = { record, stored: record, seenAt: record.seenAt };
    const question = questionOf(record.condition, routes);
    if (!question.ok)
      this.#fault(new Error(`the watch ${record.id} cannot be looked at: ${question.error.detail}`));
    this.#held.set(record.id, { held, question: question.ok ? question.value : undefined });
    if (question.ok) this.#questions.add(question.value, held);
    if (watchedUntil !== undefined) this.#resume(held, watchedUntil, clock.now());
    this.#place(held);
  }

  /** The time in which nobody watched is on the disk before the lease says that somebody does. */
  #resume(held: Held, watchedUntil: number, now: number): void {
    const progress = resumed(held.record.progress, watchedUntil, now);
    this.#note(held, { ...held.record, progress, seenAt: now });
    held.seenAt = now;
  }

  /** Ends watches at their time, whether they are looked at or not. */
  #passTime(now: number): void {
    for (const { held, question } of this.#held.values()) {
      const isUnanswered = question === undefined && now - held.seenAt >= ROUND_MS;
      if (isUnanswered || now >= held.record.endsAt)
        this.#observe([held], () => look(held.record, FAILED, held.seenAt, now), now);
    }
  }

  #touchIfHeldLongEnough(held: Held, now: number): void {
    const { progress, condition, id } = held.record;
    if (now - progress.since < termsOf(condition).holdMs) return;
    const question = this.#held.get(id)?.question;
    if (question !== undefined) this.#questions.add(question, held);
  }

  #lookAt(asked: readonly AskedQuestion[], now: number): void {
    const began = performance.now();
    for (const [index, each] of asked.entries()) {
      if (index > 0 && performance.now() - began > TURN_BUDGET_MS) {
        this.#left = asked.slice(index);
        this.counts.crowded += 1;
        return;
      }
      this.#look(each, now);
    }
    this.#left = [];
  }

  #look(asked: AskedQuestion, now: number): void {
    const { ports } = this.#options;
    const { question, watches } = asked;
    if (now < asked.busyUntil || watches.size === 0) return;
    if (asked.busyUntil > 0) this.#fail(asked, new Error(`no answer to ${question.key}`), now);
    asked.askedAt = now;
    asked.busyUntil = 0;
    this.counts.looks += 1;
    if (question.kind.mode === 'event') {
      this.#observe(watches, (held) => this.#lookAtEvents(held, now), now);
      return;
    }
    try {
      const seen = ask(question, ports);
      if (seen instanceof Promise) this.#await(asked, seen, now + ANSWER_MS);
      else this.#see(asked, seen, now);
    } catch (cause) {
      this.#fail(asked, cause, now);
    }
  }

  /** An answer that comes too late is none: the question was asked again. */
  #await(asked: AskedQuestion, answer: Promise<Observation>, until: number): void {
    asked.busyUntil = until;
    const then = (see: (now: number) => void): void => {
      if (asked.busyUntil !== until || !this.holds) return;
      asked.busyUntil = 0;
      see(this.#options.clock.now());
      this.#settle();
    };
    answer
      .then(
        (seen) => then((now) => this.#see(asked, seen, now)),
        (cause: unknown) => then((now) => this.#fail(asked, cause, now)),
      )
      .catch((cause: unknown) => this.#fault(cause));
  }

  #see({ watches }: AskedQuestion, seen: Observation, now: number): void {
    this.#observe(watches, ({ record, seenAt }) => look(record, seen, seenAt, now), now);
    for (const held of watches)
      if (held.record.endedAt === undefined && held.record.values !== seen.values)
        held.record = { ...held.record, values: seen.values, rowsAt: seen.rowsAt };
  }

  /** A look that failed: what could not be looked at is unknown. */
  #fail(asked: AskedQuestion, cause: unknown, now: number): void {
    this.#fault(cause);
    this.#see(asked, FAILED, now);
  }

  #lookAtEvents({ record, seenAt }: Held, now: number): Looked {
    try {
      return lookAtEvents(record, this.#options.ports, seenAt, now);
    } catch (cause) {
      this.#fault(cause);
      return look(record, FAILED, seenAt, now);
    }
  }

  /** At its end a watch is judged no more. */
  #observe(watches: Iterable<Held>, lookOf: (held: Held) => Looked, now: number): void {
    for (const held of watches)
      try {
        if (held.record.endedAt !== undefined || this.#closeIfOver(held, now)) continue;
        this.#apply(held, lookOf(held), now);
        this.#closeIfOver(held, now);
      } catch (cause) {
        this.#fault(cause);
      }
  }

  #apply(held: Held, { record, told }: Looked, now: number): void {
    if (record !== held.record) {
      this.#note(held, record);
      this.#told.push(...told);
    }
    held.seenAt = now;
  }

  #closeIfOver(held: Held, now: number): boolean {
    const over = endIfOver(held.record, held.seenAt, now);
    if (over !== undefined) this.#close(held, over);
    return over !== undefined;
  }

  #close(held: Held, over: Looked): void {
    const statement = this.#options.statementOf(over.record);
    this.#note(held, { ...over.record, statement });
    this.#told.push(...over.told);
  }

  #note(held: Held, record: WatchRecord): void {
    if (!this.#changed.has(held)) this.#changed.set(held, held.seenAt);
    held.record = record;
    this.#place(held);
  }

  #place(held: Held): void {
    if (held.record.progress.phase === 'holding') this.#holding.add(held);
    else this.#holding.delete(held);
  }

  /** Writes what this turn has changed; where the disk does not take it, all is as it was before, and is looked at again. */
  #settle(): void {
    const { store, owner, listener } = this.#options;
    const changed = [...this.#changed];
    const told = this.#told;
    this.#changed.clear();
    this.#told = [];
    try {
      const watches = changed.map(([{ record }]) => record);
      if (changed.length > 0 && !store.save({ watches, firings: told }, owner)) {
        this.#release();
        return;
      }
    } catch (cause) {
      this.#fault(cause);
      this.#restore(changed);
      return;
    }
    this.#lease.settled();
    for (const [held] of changed) {
      held.stored = held.record;
      if (held.record.endedAt !== undefined) this.#forget(held);
    }
    this.counts.firings += told.length;
    for (const firing of told) listener.told(firing);
  }

  /** Undoes a turn that was not written. Watches just taken up are let go, and taken up again from when they were watched before. */
  #restore(changed: readonly (readonly [Held, number])[]): void {
    if (!this.#lease.isSettled) {
      this.#release();
      return;
    }
    for (const [held, seenAt] of changed) {
      held.record = held.stored;
      held.seenAt = seenAt;
      this.#place(held);
    }
    this.#questions.touchAll();
  }

  #release(): void {
    this.#lease.drop();
    this.#letGo();
  }

  #forget(held: Held): void {
    const known = this.#held.get(held.record.id);
    if (known?.question !== undefined) this.#questions.remove(known.question.key, held);
    this.#held.delete(held.record.id);
    this.#holding.delete(held);
  }

  /** Once an hour lets go of watches that ended long ago. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < 3600 * SECOND_MS) return;
    this.#sweptAt = now;
    const { store, owner, listener } = this.#options;
    const dropped: string[] = [];
    for (const { id, rule, endedAt, endReason } of store.watches())
      if (
        endedAt !== undefined &&
        now - endedAt > KEPT_MS &&
        !(rule !== undefined && endReason === 'all_firings')
      )
        dropped.push(id);
      else if (rule !== undefined) store.trim(id, now - RULE_FIRINGS_MS);
    if (dropped.length === 0 || !store.save({ dropped }, owner)) return;
    for (const id of dropped) listener.forgotten(id);
  }

  #fault(cause: unknown): void {
    this.counts.failures += 1;
    this.#options.onError(cause);
  }
}

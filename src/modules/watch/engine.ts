import type { Route } from '../../api/route.ts';
import type { Clock } from '../../domain/clock.ts';
import type { ContractState, QuoteChange } from '../../market/contract.ts';
import type { Ports } from '../../products/define-product.ts';
import { DAY_MS, SECOND_MS } from '../../runtime/duration.ts';
import type { Firing } from '../webhook/firing.ts';
import { type AskedQuestion, AskedQuestions, type Held } from './asked-questions.ts';
import type { Observation } from './judge.ts';
import { termsOf } from './judge.ts';
import { endFor, endIfOver, type Looked, look, lookAtEvents } from './look.ts';
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
/** A watch can be read for so long after its end. */
export const KEPT_MS = 7 * DAY_MS;

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
  readonly #held = new Map<string, { readonly held: Held; readonly question: Question }>();
  /** Watches that fire once they have held for long enough. */
  readonly #holding = new Set<Held>();
  /** Changed watches of this turn, and what they tell, until the disk has them. */
  readonly #changed = new Set<Held>();
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
    this.#take(record, false);
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
    for (const held of this.#holding) this.#touchIfHeldLongEnough(held, now);
    this.#lookAt([...this.#left, ...this.#questions.due(now, TURN_MS / ROUND_MS)], now);
    this.#sweep(now);
    this.#settle();
  }

  /** Stores what is to be stored, and lets another process hold the watches. */
  stop(): void {
    if (!this.holds) return;
    const now = this.#options.clock.now();
    for (const { held } of this.#held.values()) this.#note(held, { ...held.record, seenAt: held.seenAt });
    this.#settle();
    this.#lease.giveBack(now);
  }

  #beat(now: number): void {
    const { change, aliveAt } = this.#lease.beat(now);
    if (change === 'taken') this.#takeAll(aliveAt);
    if (change === 'lost') this.#letGo();
  }

  #letGo(): void {
    for (const { held, question } of this.#held.values()) {
      this.#questions.remove(question.key, held);
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
    for (const record of store.watches())
      this.#take({ ...record, seenAt: Math.max(record.seenAt, aliveAt) }, true);
  }

  /** Another process has sold some: they are read again. */
  #readAdditions(): void {
    const { store } = this.#options;
    this.#additions = store.additions;
    for (const record of store.watches()) this.#take(record, false);
  }

  /** @param isTakenUp another process, or this one before it was started again, has looked at it before */
  #take(record: WatchRecord, isTakenUp: boolean): void {
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
    const now = clock.now();
    const progress = isTakenUp ? resumed(record.progress, record.seenAt, now) : record.progress;
    const seenAt = isTakenUp ? now : record.seenAt;
    const held: Held = { record: { ...record, progress }, stored: record, seenAt };
    const question = questionOf(record.condition, routes);
    if (!question.ok) {
      this.#fault(new Error(`the watch ${record.id} cannot be held: ${question.error.detail}`));
      return;
    }
    this.#held.set(record.id, { held, question: question.value });
    this.#questions.add(question.value, held);
    if (progress.phase === 'holding') this.#holding.add(held);
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
    asked.askedAt = now;
    this.counts.looks += 1;
    try {
      if (question.kind.mode === 'event') {
        for (const held of watches)
          this.#apply(held, lookAtEvents(held.record, ports, held.seenAt, now), now);
        return;
      }
      const seen = ask(question, ports);
      if (!(seen instanceof Promise)) {
        this.#observe(asked, seen, now);
        return;
      }
      asked.isBusy = true;
      void seen
        .then((answer) => this.#observeLate(asked, answer))
        .catch((cause: unknown) => this.#fault(cause))
        .finally(() => {
          asked.isBusy = false;
        });
    } catch (cause) {
      this.#fault(cause);
    }
  }

  #observeLate(asked: AskedQuestion, seen: Observation): void {
    if (!this.holds) return;
    this.#observe(asked, seen, this.#options.clock.now());
    this.#settle();
  }

  #observe({ watches }: AskedQuestion, seen: Observation, now: number): void {
    for (const held of watches) {
      this.#apply(held, look(held.record, seen, held.seenAt, now), now);
      if (held.record.values !== seen.values)
        held.record = { ...held.record, values: seen.values, rowsAt: seen.rowsAt };
    }
  }

  #apply(held: Held, looked: Looked, now: number): void {
    held.seenAt = now;
    if (looked.record !== held.record) {
      this.#note(held, looked.record);
      this.#told.push(...looked.told);
    }
    const over = endIfOver(held.record, now);
    if (over !== undefined) this.#close(held, over);
  }

  #close(held: Held, over: Looked): void {
    const statement = this.#options.statementOf(over.record);
    this.#note(held, { ...over.record, statement });
    this.#told.push(...over.told);
  }

  #note(held: Held, record: WatchRecord): void {
    held.record = record;
    this.#changed.add(held);
    if (record.progress.phase === 'holding') this.#holding.add(held);
    else this.#holding.delete(held);
  }

  /** Writes what this turn has changed; where the disk does not take it, all is as it was before, and is looked at again. */
  #settle(): void {
    if (this.#changed.size === 0) return;
    const { store, listener } = this.#options;
    const changed = [...this.#changed];
    const told = this.#told;
    this.#changed.clear();
    this.#told = [];
    try {
      store.save({ watches: changed.map(({ record }) => record), firings: told });
    } catch (cause) {
      for (const held of changed) held.record = held.stored;
      this.#questions.touchAll();
      this.#fault(cause);
      return;
    }
    for (const held of changed) {
      held.stored = held.record;
      if (held.record.endedAt !== undefined) this.#forget(held);
    }
    this.counts.firings += told.length;
    for (const firing of told) listener.told(firing);
  }

  #forget(held: Held): void {
    const known = this.#held.get(held.record.id);
    if (known !== undefined) this.#questions.remove(known.question.key, held);
    this.#held.delete(held.record.id);
    this.#holding.delete(held);
  }

  /** Once an hour lets go of watches that ended long ago. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < 3600 * SECOND_MS) return;
    this.#sweptAt = now;
    const { store, listener } = this.#options;
    const dropped: string[] = [];
    for (const { id, endedAt } of store.watches())
      if (endedAt !== undefined && now - endedAt > KEPT_MS) dropped.push(id);
    if (dropped.length === 0) return;
    store.save({ dropped });
    for (const id of dropped) listener.forgotten(id);
  }

  #fault(cause: unknown): void {
    this.counts.failures += 1;
    this.#options.onError(cause);
  }
}

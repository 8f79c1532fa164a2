import { type Clock, iso } from '../../domain/clock.ts';
import type { Ports } from '../../products/define-product.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { monotonicFrom } from '../../runtime/monotonic.ts';
import type { AskedQuestion, AskedQuestions, Held } from './asked-questions.ts';
import type { Observation } from './judge.ts';
import { FAILED, type Looked, look, lookAtEvents } from './look.ts';
import { ask } from './question.ts';

/** Looks of one turn; what is left has its turn next. */
const TURN_BUDGET_MS = 100;
/** A question without an answer for so long has failed, and is asked again. */
const ANSWER_MS = MINUTE_MS;

export interface LooksOptions {
  readonly ports: Ports;
  /** The time by which watches are judged. */
  readonly clock: Clock;
  /** Judges watches by what was found. */
  readonly observe: (watches: Iterable<Held>, lookOf: (held: Held) => Looked, now: number) => void;
  /** The answer that watches were judged by stands on. */
  readonly restated: (watches: Iterable<Held>, seen: Observation, now: number) => void;
  /** An answer that came later has been judged. */
  readonly judged: () => void;
  readonly onError: (cause: unknown) => void;
  /** The time that bounds a turn, ms from any beginning; left out: that of the process. */
  readonly stopwatch?: (() => number) | undefined;
}

/** Asks the questions of watches, and has the watches judged by the answers. */
export class Looks {
  readonly counts = { looks: 0, crowded: 0 };
  readonly #options: LooksOptions;
  /** Time between looks, which no clock that is set back draws out. */
  readonly #steadyNow: () => number;
  readonly #stopwatch: () => number;
  #left: readonly AskedQuestion[] = [];

  constructor(options: LooksOptions) {
    this.#options = options;
    this.#steadyNow = monotonicFrom(options.ports.clock);
    this.#stopwatch = options.stopwatch ?? (() => performance.now());
  }

  /**
   * Asks what was left by the turn before, and then what is due, as much as fits into a turn.
   *
   * @param share part of all questions that is reached in this turn without a change, 0..1
   * @param now by which watches are judged
   */
  turn(questions: AskedQuestions, share: number, now: number): void {
    const began = this.#stopwatch();
    this.#hearStatuses(questions);
    const due = questions.due(this.#steadyNow(), share, (asked) => this.#doesStand(asked, now));
    const asked = this.#left.length === 0 ? due : [...new Set([...this.#left, ...due])];
    this.#left = [];
    for (const [index, each] of asked.entries()) {
      if (index > 0 && this.#stopwatch() - began > TURN_BUDGET_MS) {
        this.#left = asked.slice(index);
        this.counts.crowded += 1;
        return;
      }
      this.#look(each, now);
    }
  }

  /** True where the rows of a question were stated again as they were: its answer stands on by them, and is of their time. */
  #standsOn(asked: AskedQuestion, now: number): boolean {
    const { question, watches, seen } = asked;
    const { restated, standsMs = 0 } = question.kind;
    if (restated === undefined || seen === undefined || seen.value === null) return false;
    const at = restated(this.#options.ports.market, question.terms, seen.values);
    const leftMs = at === undefined ? 0 : this.#standsFor(at, standsMs);
    if (at === undefined || leftMs <= 0) return false;
    asked.standsUntil = this.#steadyNow() + leftMs;
    asked.seen = { ...seen, rowsAt: at, values: { ...seen.values, rate_updated_at: iso(at) } };
    this.#options.restated(watches, asked.seen, now);
    return true;
  }

  /** One that cannot be said to stand is asked, and fails there. */
  #doesStand(asked: AskedQuestion, now: number): boolean {
    try {
      return this.#standsOn(asked, now);
    } catch (cause) {
      this.#options.onError(cause);
      return false;
    }
  }

  /** The venues are brought up to date by that, which nobody pays for where nothing is watched. */
  #hearStatuses(questions: AskedQuestions): void {
    if (questions.size === 0) return;
    try {
      questions.touchVenues(this.#options.ports.market.venues());
    } catch (cause) {
      this.#options.onError(cause);
    }
  }

  /**
   * Time for which an answer still stands by its rows, ms. The host's own clock has dated these: rows of a later time than it
   * tells are of before it was set back, and stand no longer than new ones.
   */
  #standsFor(rowsAt: number, standsMs: number): number {
    return Math.min(standsMs, rowsAt + standsMs - this.#options.ports.clock.now());
  }

  /** Asks nothing that was left. */
  clear(): void {
    this.#left = [];
  }

  #look(asked: AskedQuestion, now: number): void {
    const { question, watches } = asked;
    const askedAt = this.#steadyNow();
    if (askedAt < asked.busyUntil || watches.size === 0) return;
    if (asked.busyUntil > 0) this.#fail(asked, new Error(`no answer to ${question.key}`), now);
    asked.askedAt = askedAt;
    asked.standsUntil = askedAt + question.kind.restMs;
    asked.busyUntil = 0;
    this.counts.looks += 1;
    if (question.kind.mode === 'event') {
      this.#options.observe(watches, (held) => this.#lookAtEvents(held, now), now);
      return;
    }
    try {
      const seen = ask(question, this.#options.ports);
      if (seen instanceof Promise) this.#await(asked, seen, askedAt + ANSWER_MS);
      else this.#see(asked, seen, now);
    } catch (cause) {
      this.#fail(asked, cause, now);
    }
  }

  /** An answer that comes too late is none: the question was asked again. */
  #await(asked: AskedQuestion, answer: Promise<Observation>, until: number): void {
    asked.busyUntil = until;
    const then = (see: (now: number) => void): void => {
      if (asked.busyUntil !== until || asked.watches.size === 0) return;
      asked.busyUntil = 0;
      see(this.#options.clock.now());
      this.#options.judged();
    };
    answer
      .then(
        (seen) => then((now) => this.#see(asked, seen, now)),
        (cause: unknown) => then((now) => this.#fail(asked, cause, now)),
      )
      .catch((cause: unknown) => this.#options.onError(cause));
  }

  #see(asked: AskedQuestion, seen: Observation, now: number): void {
    const { watches, question } = asked;
    const { standsMs = 0 } = question.kind;
    asked.seen = seen;
    if (seen.value !== null && seen.rowsAt !== undefined)
      asked.standsUntil = Math.max(
        asked.standsUntil,
        this.#steadyNow() + this.#standsFor(seen.rowsAt, standsMs),
      );
    this.#options.observe(watches, ({ record, seenAt }) => look(record, seen, seenAt, now), now);
    for (const held of watches) if (held.record.endedAt === undefined) held.seen = seen;
  }

  /** A look that failed: what could not be looked at is unknown. */
  #fail(asked: AskedQuestion, cause: unknown, now: number): void {
    this.#options.onError(cause);
    this.#see(asked, FAILED, now);
  }

  #lookAtEvents({ record, seenAt }: Held, now: number): Looked {
    try {
      return lookAtEvents(record, this.#options.ports, seenAt, now);
    } catch (cause) {
      this.#options.onError(cause);
      return look(record, FAILED, seenAt, now);
    }
  }
}

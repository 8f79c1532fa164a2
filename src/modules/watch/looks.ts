import type { Clock } from '../../domain/clock.ts';
import type { Ports } from '../../products/define-product.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
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
  readonly clock: Clock;
  /** Judges watches by what was found. */
  readonly observe: (watches: Iterable<Held>, lookOf: (held: Held) => Looked, now: number) => void;
  /** An answer that came later has been judged. */
  readonly judged: () => void;
  readonly onError: (cause: unknown) => void;
}

/** Asks the questions of watches, and has the watches judged by the answers. */
export class Looks {
  readonly counts = { looks: 0, crowded: 0 };
  readonly #options: LooksOptions;
  #left: readonly AskedQuestion[] = [];

  constructor(options: LooksOptions) {
    this.#options = options;
  }

  /**
   * Asks what was left by the turn before, and then what is due, as much as fits into a turn.
   *
   * @param share part of all questions that is reached in this turn without a change, 0..1
   */
  turn(questions: AskedQuestions, share: number, now: number): void {
    const began = performance.now();
    this.#hearStatuses(questions);
    const due = questions.due(now, share);
    const asked = this.#left.length === 0 ? due : [...new Set([...this.#left, ...due])];
    this.#left = [];
    for (const [index, each] of asked.entries()) {
      if (index > 0 && performance.now() - began > TURN_BUDGET_MS) {
        this.#left = asked.slice(index);
        this.counts.crowded += 1;
        return;
      }
      this.#look(each, now);
    }
  }

  #hearStatuses(questions: AskedQuestions): void {
    try {
      questions.touchVenues(this.#options.ports.market.venues());
    } catch (cause) {
      this.#options.onError(cause);
    }
  }

  /** Asks nothing that was left. */
  clear(): void {
    this.#left = [];
  }

  #look(asked: AskedQuestion, now: number): void {
    const { question, watches } = asked;
    if (now < asked.busyUntil || watches.size === 0) return;
    if (asked.busyUntil > 0) this.#fail(asked, new Error(`no answer to ${question.key}`), now);
    asked.askedAt = now;
    asked.standsUntil = now + question.kind.restMs;
    asked.busyUntil = 0;
    this.counts.looks += 1;
    if (question.kind.mode === 'event') {
      this.#options.observe(watches, (held) => this.#lookAtEvents(held, now), now);
      return;
    }
    try {
      const seen = ask(question, this.#options.ports);
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
    if (seen.value !== null) asked.standsUntil = Math.max(asked.standsUntil, (seen.rowsAt ?? 0) + standsMs);
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

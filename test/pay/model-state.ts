import type { Clock } from '../../src/domain/clock.ts';

/** Histories of all at one point. */
export type Marks = ReadonlyMap<string, number>;

/** Texts have numbers: the same text has the same one. */
const numbers = new Map<string, number>();

/** The history of what can do nothing more. */
const ENDED = -1;

function numberOf(text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  numbers.set(text, numbers.size + 1);
  return numbers.size;
}

/**
 * Everything that each process of a run has learned from outside, in its order. A process knows nothing else, so that where two
 * runs have given it the same history it does the same from there on.
 */
export class Histories {
  readonly #clock: Clock;
  #of = new Map<string, number>();
  #isPaused = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A process may read the clock whenever it learns something. */
  note(who: string, what: string, value?: unknown): void {
    if (this.#isPaused || this.of(who) === ENDED) return;
    const text = numberOf(`${this.#clock.now()} ${what} ${JSON.stringify(value)}`);
    this.#of.set(who, numberOf(`${this.of(who)}>${text}`));
  }

  forget(who: string): void {
    this.#of.delete(who);
  }

  /** It can do nothing more: all its histories are the same from now on. */
  end(who: string): void {
    this.#of.set(who, ENDED);
  }

  /** Stands for the history: the same number, the same history. */
  of(who: string): number {
    return this.#of.get(who) ?? 0;
  }

  marks(): Marks {
    return new Map(this.#of);
  }

  /** Nothing is noted until `resume`. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(marks: Marks): void {
    this.#of = new Map(marks);
    this.#isPaused = false;
  }
}

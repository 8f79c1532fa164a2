import type { Clock } from '../domain/clock.ts';
import { MINUTE_MS } from '../runtime/duration.ts';

/** A stand-by's rows of the last minute: the holder of the lease may have died before it wrote them. */
export class LastMinuteBuffer<T> {
  readonly #clock: Clock;
  #seen: { readonly value: T; readonly at: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(value: T): void {
    const now = this.#clock.now();
    this.#seen.push({ value, at: now });
    const first = this.#seen.findIndex(({ at }) => now - at <= MINUTE_MS);
    if (first > 0) this.#seen.splice(0, first);
  }

  /** All of it, in order; then nothing is remembered any more. */
  take(): readonly T[] {
    const now = this.#clock.now();
    const seen = this.#seen.filter(({ at }) => now - at <= MINUTE_MS);
    this.#seen = [];
    return seen.map(({ value }) => value);
  }
}

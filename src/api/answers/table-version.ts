import type { Clock } from '../../domain/clock.ts';

/**
 * The table's version, looked at no more often than every `intervalMs`. Streams change the table hundreds of
 * times a second; answers are rebuilt for a reader a few times a second at most, and are never older than this.
 */
export class TableVersion {
  readonly #source: { readonly version: number };
  readonly #clock: Clock;
  readonly #intervalMs: number;
  #seen: number;
  #seenAt: number;

  constructor(source: { readonly version: number }, clock: Clock, intervalMs: number) {
    this.#source = source;
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    this.#seen = source.version;
    this.#seenAt = clock.now();
  }

  current(): number {
    const now = this.#clock.now();
    const age = now - this.#seenAt;
    if (age >= this.#intervalMs || age < 0) {
      this.#seen = this.#source.version;
      this.#seenAt = now;
    }
    return this.#seen;
  }
}

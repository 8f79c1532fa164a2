/** Weight used in fixed windows of the clock, as venues count it. */
export class WeightWindow {
  readonly #limit: number;
  readonly #perMs: number;
  #window = Number.NaN;
  #used = 0;

  constructor(limit: number, perMs: number) {
    this.#limit = limit;
    this.#perMs = perMs;
  }

  /** Counts a call; false when it goes over the limit (it is not counted then). */
  take(weight: number, now: number): boolean {
    this.#roll(now);
    if (this.#used + weight > this.#limit) return false;
    this.#used += weight;
    return true;
  }

  /** Weight used in the window of `now`. */
  used(now: number): number {
    this.#roll(now);
    return this.#used;
  }

  /** Milliseconds until the next window. */
  remainingMs(now: number): number {
    return this.#perMs - (now % this.#perMs);
  }

  #roll(now: number): void {
    const window = Math.floor(now / this.#perMs);
    if (window === this.#window) return;
    this.#window = window;
    this.#used = 0;
  }
}

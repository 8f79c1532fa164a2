/** A token bucket: request weight that refills evenly up to one window's worth. */
export class TokenBucket {
  readonly #tokensPerMs: number;
  readonly #capacity: number;
  #tokens: number;
  #refilledAt = Number.NEGATIVE_INFINITY;

  /**
   * @param limit weight in `perMs`, which is the capacity
   * @param fillLevel level at the start, 0..1 of the capacity
   */
  constructor(limit: number, perMs: number, fillLevel = 1) {
    this.#tokensPerMs = limit / perMs;
    this.#capacity = limit;
    this.#tokens = limit * fillLevel;
  }

  /** Available part of the capacity, 0..1. */
  fillLevel(now: number): number {
    this.#refill(now);
    return this.#tokens / this.#capacity;
  }

  /** Takes the weight if available; a weight above the capacity needs a full bucket. */
  take(weight: number, now: number): boolean {
    this.#refill(now);
    if (this.#tokens < Math.min(weight, this.#capacity)) return false;
    this.#tokens -= weight;
    return true;
  }

  #refill(now: number): void {
    // A clock that was set back refills nothing.
    const passed = Number.isFinite(this.#refilledAt) ? Math.max(0, now - this.#refilledAt) : 0;
    this.#refilledAt = now;
    this.#tokens = Math.min(this.#capacity, this.#tokens + passed * this.#tokensPerMs);
  }
}

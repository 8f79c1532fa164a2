/** In a short rate-limit window the initial snapshots leave part of it to the other requests at start. */
const SHORT_WINDOW_MS = 10_000;
const FILLED_AT_START = 0.2;

/** The token bucket of a venue's snapshots: a share of its limit, but at least one request at a time. */
export function bookTokenBucket(limit: number, perMs: number, share: number, weight: number): TokenBucket {
  const capacity = Math.max(limit * share, weight);
  const initialLevel = perMs > SHORT_WINDOW_MS ? 1 : Math.max(FILLED_AT_START, weight / capacity);
  return new TokenBucket(capacity, perMs, initialLevel);
}

/** A token bucket: request weight that refills evenly up to one window's worth. */
export class TokenBucket {
  readonly #tokensPerMs: number;
  readonly #capacity: number;
  #tokens: number;
  #refilledAt = Number.NEGATIVE_INFINITY;

  /**
   * @param limit weight in `perMs`
   * @param fillLevel level at the start, 0..1 of the capacity
   */
  constructor(limit: number, tokensPerMs: number, fillLevel = 1) {
    this.#tokensPerMs = limit / tokensPerMs;
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

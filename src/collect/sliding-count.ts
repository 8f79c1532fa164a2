const BUCKETS = 30;

/** Counts events of the last `spanMs` in thirty buckets: exact to a thirtieth of the span, in constant space. */
export class SlidingCount {
  readonly #bucketMs: number;
  readonly #counts = new Array<number>(BUCKETS).fill(0);
  #latest = 0;
  /** Buckets that the clock was set back by: what was counted before ages on. */
  #setBack = 0;

  constructor(spanMs: number) {
    this.#bucketMs = spanMs / BUCKETS;
  }

  add(count: number, now: number): void {
    const slot = this.#advance(now) % BUCKETS;
    this.#counts[slot] = (this.#counts[slot] ?? 0) + count;
  }

  total(now: number): number {
    this.#advance(now);
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  #advance(now: number): number {
    const stated = Math.floor(now / this.#bucketMs) + this.#setBack;
    // By one bucket only, events come out of order.
    if (stated < this.#latest - 1) this.#setBack += this.#latest - stated;
    const bucket = Math.max(this.#latest, stated);
    const passed = Math.min(BUCKETS, bucket - this.#latest);
    for (let i = 1; i <= passed; i++) this.#counts[(bucket - passed + i) % BUCKETS] = 0;
    this.#latest = bucket;
    return bucket;
  }
}

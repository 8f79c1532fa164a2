interface Spent {
  readonly at: number;
  readonly weight: number;
}

/**
 * Sliding window over weight, in ms of a count that never goes back. A request counts from its grant until `perMs` after
 * its answer: the venue counts it at some moment in between, so no window at the venue ever holds more than we allow,
 * however long the way.
 */
export class WeightWindow {
  readonly limit: number;
  readonly perMs: number;
  readonly #capacity: number;
  #spent: Spent[] = [];
  #head = 0;
  #spentWeight = 0;
  #inFlight = 0;

  /** Weight that is used of a window at most. */
  get capacity(): number {
    return this.#capacity;
  }

  /** @param margin share of the limit that is used, 0..1 */
  constructor(limit: number, perMs: number, margin: number) {
    this.limit = limit;
    this.perMs = perMs;
    this.#capacity = limit * margin;
  }

  /** Weight in flight and answered within the last `perMs`. */
  used(now: number): number {
    this.#expire(now);
    return this.#spentWeight + this.#inFlight;
  }

  /**
   * Milliseconds until `weight` fits if nothing more comes; 0 = now; Infinity = not before an answer arrives,
   * or never. A weight above the margin, but not above the limit, fits into an empty window.
   *
   * @param kept weight of the window that is not to be touched
   */
  waitFor(weight: number, now: number, kept = 0): number {
    if (this.hasRoom(weight, now, kept)) return 0;
    const target = Math.max(0, this.#capacity - kept - weight);
    let left = this.used(now);
    for (let i = this.#head; i < this.#spent.length; i++) {
      const entry = this.#spent[i];
      if (entry === undefined) break;
      left -= entry.weight;
      if (left <= target) return Math.max(1, entry.at + this.perMs - now);
    }
    return Number.POSITIVE_INFINITY;
  }

  /** True if `weight` fits at once. */
  hasRoom(weight: number, now: number, kept = 0): boolean {
    const used = this.used(now);
    return used + weight <= this.#capacity - kept || (used === 0 && weight <= this.limit);
  }

  fits(weight: number): boolean {
    return weight <= this.limit;
  }

  take(weight: number): void {
    this.#inFlight += weight;
  }

  /** The request that took `weight` has been answered or has failed. */
  settle(weight: number, now: number): void {
    this.#inFlight -= weight;
    this.#add(weight, now);
  }

  /** Corrects upwards to the venue's own count; a lower count changes nothing. */
  observe(counted: number, now: number): void {
    const missing = Math.min(counted, this.limit) - this.used(now);
    if (missing > 0) this.#add(missing, now);
  }

  #add(weight: number, now: number): void {
    if (weight <= 0) return;
    this.#spent.push({ at: now, weight });
    this.#spentWeight += weight;
  }

  #expire(now: number): void {
    for (;;) {
      const entry = this.#spent[this.#head];
      if (entry === undefined || now - entry.at < this.perMs) break;
      this.#spentWeight -= entry.weight;
      this.#head++;
    }
    if (this.#head === this.#spent.length) {
      this.#spent = [];
      this.#head = 0;
      this.#spentWeight = 0;
    } else if (this.#head > 512) {
      this.#spent = this.#spent.slice(this.#head);
      this.#head = 0;
    }
  }
}

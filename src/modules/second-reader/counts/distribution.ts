/** Buckets of a decade: a quantile is known to 12 %. */
const PER_DECADE = 10;
/** Bucket of what is exactly zero. */
const ZERO = -1000;

/** A histogram with buckets of equal ratio: small, and two of them can be added. */
export class Distribution {
  count = 0;
  #zeros = 0;
  /** Counts of neighbouring buckets, from the bucket `#low` on. */
  #counts: number[] = [];
  #low = 0;

  constructor(buckets: Iterable<readonly [bucket: number, count: number]> = []) {
    for (const [bucket, count] of buckets) this.#put(bucket, count);
  }

  /** Buckets that hold something, the smallest values first. */
  get buckets(): readonly (readonly [bucket: number, count: number])[] {
    const held = this.#counts.map((count, i) => [this.#low + i, count] as const);
    return [[ZERO, this.#zeros] as const, ...held].filter(([, count]) => count > 0);
  }

  /** @param value not negative */
  add(value: number): void {
    this.#put(value > 0 ? Math.round(PER_DECADE * Math.log10(value)) : ZERO, 1);
  }

  merge(other: Distribution): void {
    this.#zeros += other.#zeros;
    this.count += other.count;
    const counts = other.#counts;
    if (counts.length === 0) return;
    this.#reach(other.#low);
    this.#reach(other.#low + counts.length - 1);
    const from = other.#low - this.#low;
    for (let i = 0; i < counts.length; i++)
      this.#counts[from + i] = (this.#counts[from + i] ?? 0) + (counts[i] ?? 0);
  }

  /** The value that a part `q`, 0..1, of all are not above, to 12 %; undefined where there is none. */
  quantile(q: number): number | undefined {
    let left = Math.max(1, Math.ceil(q * this.count));
    for (const [bucket, count] of this.buckets) {
      left -= count;
      if (left <= 0) return bucket === ZERO ? 0 : 10 ** (bucket / PER_DECADE);
    }
    return undefined;
  }

  #put(bucket: number, count: number): void {
    this.count += count;
    if (bucket === ZERO) {
      this.#zeros += count;
      return;
    }
    this.#reach(bucket);
    const at = bucket - this.#low;
    this.#counts[at] = (this.#counts[at] ?? 0) + count;
  }

  /** Makes room for a bucket. */
  #reach(bucket: number): void {
    if (this.#counts.length === 0) this.#low = bucket;
    if (bucket < this.#low) {
      this.#counts = [...Array.from({ length: this.#low - bucket }, () => 0), ...this.#counts];
      this.#low = bucket;
    }
    while (this.#low + this.#counts.length <= bucket) this.#counts.push(0);
  }
}

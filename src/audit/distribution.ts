/** Buckets of a decade: a quantile is known to 12 %. */
const PER_DECADE = 10;
/** Bucket of what is exactly zero. */
const ZERO = -1000;

/** How often values of each size were seen, as buckets of equal ratio: small, and two of them add up. */
export class Distribution {
  readonly buckets: Map<number, number>;
  count = 0;

  constructor(buckets: Iterable<readonly [bucket: number, count: number]> = []) {
    this.buckets = new Map(buckets);
    for (const count of this.buckets.values()) this.count += count;
  }

  /** @param value not negative */
  add(value: number): void {
    this.#put(value > 0 ? Math.round(PER_DECADE * Math.log10(value)) : ZERO, 1);
  }

  merge(other: Distribution): void {
    for (const [bucket, count] of other.buckets) this.#put(bucket, count);
  }

  /** The value that a part `q`, 0..1, of all are not above, to 12 %; undefined where there is none. */
  quantile(q: number): number | undefined {
    let left = Math.max(1, Math.ceil(q * this.count));
    for (const [bucket, count] of [...this.buckets].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return bucket === ZERO ? 0 : 10 ** (bucket / PER_DECADE);
    }
    return undefined;
  }

  #put(bucket: number, count: number): void {
    this.buckets.set(bucket, (this.buckets.get(bucket) ?? 0) + count);
    this.count += count;
  }
}

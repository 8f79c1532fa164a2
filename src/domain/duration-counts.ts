/** Upper bounds of the buckets, seconds: from a kept answer to a settlement that hangs. */
export const DURATION_BOUNDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

/** A histogram of durations: one comparison loop and two additions each, no allocation. */
export class DurationCounts {
  /** By bucket, not cumulated; the last one has no bound. */
  readonly buckets: number[] = new Array<number>(DURATION_BOUNDS.length + 1).fill(0);
  /** All durations together, seconds. */
  sum = 0;

  /** @param seconds as measured by a monotonic clock */
  add(seconds: number): void {
    let bucket = 0;
    while (bucket < DURATION_BOUNDS.length && seconds > (DURATION_BOUNDS[bucket] ?? 0)) bucket++;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
    this.sum += seconds;
  }
}

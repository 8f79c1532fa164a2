/**
 * Monotonic time, ms, from a wall clock: it starts at the clock's own time, and a step back counts as no time. A deadline
 * in it is late by at most the time between two calls, however far the clock was set.
 *
 * @param clock Unix ms
 */
export function monotonicFrom(clock: { now(): number }): () => number {
  let last = clock.now();
  let behind = 0;
  return () => {
    const now = clock.now();
    behind += Math.max(0, last - now);
    last = now;
    return now + behind;
  };
}

/**
 * Time that never runs backwards, out of a clock that may be set back: it starts at the clock's own milliseconds, and a step
 * back counts as no time. A deadline in it comes at most later by what passed between two calls, however far the clock was
 * set.
 *
 * @param clock Unix ms
 */
export function elapsedBy(clock: { now(): number }): () => number {
  let last = clock.now();
  let behind = 0;
  return () => {
    const now = clock.now();
    behind += Math.max(0, last - now);
    last = now;
    return now + behind;
  };
}

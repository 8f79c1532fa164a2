/**
 * Milliseconds that have passed by a clock that may be set, from 0 on. What it is set back by counts as no time: a wait
 * that is measured so becomes longer by what passed since it was last looked at, not by how far the clock was set.
 *
 * @param clock Unix ms
 */
export function elapsedBy(clock: { now(): number }): () => number {
  let last = clock.now();
  let passed = 0;
  return () => {
    const now = clock.now();
    passed += Math.max(0, now - last);
    last = now;
    return passed;
  };
}

/**
 * Milliseconds by a clock that may be set, which what it is set back by does not touch: a wait that is measured so
 * becomes longer by what passed since it was last looked at, not by how far the clock was set. They are the clock's
 * own until then, so that a sum of it comes out the same in both.
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

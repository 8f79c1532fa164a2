/** Contracts beyond the streamed number that keep their stream while they are close to it. */
const SLACK = 1.2;

/**
 * The contracts to stream: the most traded, but one that is streamed already stays until it has fallen well behind,
 * so that contracts at the edge do not come and go with every change of order.
 *
 * @param ranked most traded first
 * @param most number to stream
 */
export function chooseStreamed(
  ranked: readonly string[],
  most: number,
  before: ReadonlySet<string>,
): ReadonlySet<string> {
  const kept = ranked.slice(0, Math.floor(most * SLACK)).filter((symbol) => before.has(symbol));
  const chosen = new Set(kept.slice(0, most));
  for (const symbol of ranked) {
    if (chosen.size >= most) break;
    chosen.add(symbol);
  }
  return chosen;
}

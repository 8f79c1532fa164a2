/** Contracts beyond the streamed number that keep their stream while they are close to it. */
const SLACK = 1.2;

/** Part of a venue's streams that contracts may have which a computed answer rests on, whatever they trade. */
const PREFERRED_SHARE = 0.5;

/**
 * The order in which contracts are streamed: first those that are preferred, as many as may be, then the others; each
 * the most traded first.
 */
export function rankForStreams(
  ranked: readonly string[],
  most: number,
  isPreferred: (symbol: string) => boolean,
): readonly string[] {
  const first = new Set(ranked.filter(isPreferred).slice(0, Math.floor(most * PREFERRED_SHARE)));
  return first.size === 0 ? ranked : [...first, ...ranked.filter((symbol) => !first.has(symbol))];
}

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

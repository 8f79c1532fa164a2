/** Contracts beyond the streamed number that keep their stream while they are close to it. */
const SLACK = 1.2;

/** Part of a venue's streams that contracts may have which a computed answer rests on, whatever they trade. */
const PREFERRED_SHARE = 0.5;

/** Contracts that can be streamed, each list with the most traded first. */
interface StreamRanking {
  /** Those that are preferred, as many as may be. */
  readonly first: readonly string[];
  readonly others: readonly string[];
}

/** @param ranked most traded first */
export function rankForStreams(
  ranked: readonly string[],
  most: number,
  isPreferred: (symbol: string) => boolean,
): StreamRanking {
  const first = new Set(ranked.filter(isPreferred).slice(0, Math.floor(most * PREFERRED_SHARE)));
  return { first: [...first], others: ranked.filter((symbol) => !first.has(symbol)) };
}

/**
 * The contracts to stream: the preferred, and the most traded of the others, of which one that is streamed already stays
 * until it has fallen well behind, so that contracts at the edge do not come and go with every change of order.
 *
 * @param most number to stream
 */
export function chooseStreamed(
  { first, others }: StreamRanking,
  most: number,
  before: ReadonlySet<string>,
): ReadonlySet<string> {
  const near = others.slice(0, Math.floor(most * SLACK) - first.length);
  const kept = near.filter((symbol) => before.has(symbol));
  const chosen = new Set([...first, ...kept.slice(0, most - first.length)]);
  for (const symbol of others) {
    if (chosen.size >= most) break;
    chosen.add(symbol);
  }
  return chosen;
}

import type { MarketRow } from '../../market/view.ts';

/**
 * The contracts of an asset on a venue in the order in which answers list them: the largest by some figure first, those
 * that state none last, equal ones by their symbol.
 */
export function contractsBy(
  contracts: readonly MarketRow[],
  figureOf: (row: MarketRow) => number | undefined,
): readonly MarketRow[] {
  const size = (row: MarketRow): number => figureOf(row) ?? Number.NEGATIVE_INFINITY;
  return [...contracts].sort((a, b) => {
    const first = size(a);
    const second = size(b);
    if (first !== second) return first > second ? -1 : 1;
    return a.symbol < b.symbol ? -1 : 1;
  });
}

import type { MarketRow, MarketView } from '../market/view.ts';

/** Fresh comparable rows of every asset that has at least two, in the order of canonical ids. */
export function comparableAssets(rows: readonly MarketRow[]): readonly (readonly MarketRow[])[] {
  const assets: MarketRow[][] = [];
  let current: MarketRow[] = [];
  for (const row of rows) {
    if (!row.fresh || !row.comparable) continue;
    if (current[0]?.canonicalId !== row.canonicalId) {
      current = [];
      assets.push(current);
    }
    current.push(row);
  }
  return assets.filter((asset) => asset.length > 1);
}

/** Venues that a scan could not look at. */
export function idleVenues(view: MarketView): readonly string[] {
  return view.venues().flatMap((venue) => (venue.status === 'live' ? [] : [venue.info.id]));
}

/** Widest first, ties by ticker and canonical id. */
export function byWidth<Item extends { readonly ticker: string; readonly canonical_id: string }>(
  items: readonly Item[],
  width: (item: Item) => number,
): readonly Item[] {
  return [...items].sort(
    (a, b) =>
      width(b) - width(a) || compareText(a.ticker, b.ticker) || compareText(a.canonical_id, b.canonical_id),
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

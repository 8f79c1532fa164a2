import Type from 'typebox';
import type { UnixMs } from '../../domain/units.ts';
import type { MarketRow, MarketView } from '../../market/view.ts';
import { oldestOf, type ProductAnswer, productAnswer } from '../answer/product-answer.ts';
import { collectedVenues, isUsable } from './select.ts';

/** The greatest number of rows of a scan. */
export const scanLimit = Type.Integer({
  minimum: 1,
  maximum: 100,
  default: 50,
  description: 'Most rows to return',
});

/** Fresh comparable rows of open markets, of every asset that has any, asset by asset, in the order of canonical ids. */
export function* eachFreshAsset(rows: Iterable<MarketRow>): Generator<readonly MarketRow[]> {
  let current: MarketRow[] = [];
  for (const row of rows) {
    if (!isUsable(row)) continue;
    if (current[0]?.canonicalId !== row.canonicalId) {
      if (current.length > 0) yield current;
      current = [];
    }
    current.push(row);
  }
  if (current.length > 0) yield current;
}

/** The same, all at once. */
export function freshAssets(rows: readonly MarketRow[]): readonly (readonly MarketRow[])[] {
  return [...eachFreshAsset(rows)];
}

/** The same of every asset that has at least two. */
export function comparableAssets(rows: readonly MarketRow[]): readonly (readonly MarketRow[])[] {
  return freshAssets(rows).filter((asset) => asset.length > 1);
}

/** Venues that a scan could not look at. */
export function idleVenues(view: MarketView): readonly string[] {
  return collectedVenues(view).flatMap((venue) => (venue.status === 'live' ? [] : [venue.info.id]));
}

/** An answer of a scan. One that found nothing is as old as the oldest row that it looked at. */
export function scanAnswer<Body>(
  view: MarketView,
  body: Body,
  used: readonly MarketRow[],
  timeOf?: (row: MarketRow) => UnixMs,
): ProductAnswer<Body> {
  const answer = productAnswer(body, used, idleVenues(view), timeOf);
  if (answer.asOf !== undefined) return answer;
  const looked = view.rows().filter(isUsable);
  return { ...answer, asOf: oldestOf(looked, timeOf) };
}

/** Widest first, ties by ticker and canonical id. */
export function byWidth<Item extends { readonly ticker: string; readonly canonical_id: string }>(
  items: readonly Item[],
  width: (item: Item) => number,
): readonly Item[] {
  return [...items].sort(
    (a, b) =>
      compareWidth(width(a), width(b)) ||
      compareText(a.ticker, b.ticker) ||
      compareText(a.canonical_id, b.canonical_id),
  );
}

/** Of two widths that are both without end neither comes first. */
function compareWidth(a: number, b: number): number {
  return a === b ? 0 : b - a;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import Type, { type Static } from 'typebox';
import type { BookQuote, BookSide, BookView } from '../../market/books/book-view.ts';
import { number } from '../answer/schema.ts';

/** Distances from the mid, bps, ascending to the edge of what counts as depth. */
const STEPS_BPS = [1, 2, 5, 10, 20, 50, 100] as const;
/** No book is kept with more levels a side. */
const ALL_LEVELS = 1_000_000;

/** The content of a book, as a part of a row. */
export const depthLadderSchema = Type.Array(
  Type.Object({
    within_bps: number('Distance from the mid, bps'),
    bid_usd: number('Visible bids at most so far below the mid, USD'),
    ask_usd: number('Visible asks at most so far above the mid, USD'),
  }),
  { description: 'Depth by distance from the mid, cumulative; only with ladder=true' },
);
type DepthLadder = Static<typeof depthLadderSchema>;

function within(side: BookSide, mid: number, bps: number): number {
  const edge = (mid * bps) / 10_000;
  let usd = 0;
  for (const [price, size] of side) {
    if (Math.abs(price - mid) > edge) break;
    usd += price * size;
  }
  return usd;
}

/** Notional of the visible levels by distance from the mid. Empty where the book went meanwhile. */
export function depthLadder({ venue, symbol, bestBid, bestAsk }: BookQuote, books: BookView): DepthLadder {
  const levels = books.levels(venue, symbol, ALL_LEVELS);
  if (levels === undefined) return [];
  const mid = (bestBid + bestAsk) / 2;
  return STEPS_BPS.map((bps) => ({
    within_bps: bps,
    bid_usd: within(levels.bids, mid, bps),
    ask_usd: within(levels.asks, mid, bps),
  }));
}

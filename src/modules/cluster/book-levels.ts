import { DEPTH_WINDOW_BPS, FILL_CAP_USD } from '../../domain/depth-quote.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { BookSide, BookView } from '../../market/books/book-view.ts';
import type { BookLevels } from './message.ts';

const WINDOW = DEPTH_WINDOW_BPS / 10_000;
/** No book is kept with more levels a side. */
const ALL_LEVELS = 1_000_000;

/** A book as far as anything that is sold reads it: what counts as depth, and what the largest quoted fill takes. */
export function readLevels(books: BookView, venue: VenueId, symbol: string): BookLevels | undefined {
  const top = books.top(venue, symbol);
  const levels = top && books.levels(venue, symbol, ALL_LEVELS);
  if (top === undefined || levels === undefined) return undefined;
  const { source, confirmedAt, bestBid = Number.NaN, bestAsk = Number.NaN } = top;
  const mid = (bestBid + bestAsk) / 2;
  return {
    source,
    at: confirmedAt,
    bids: asFarAsRead(levels.bids, mid),
    asks: asFarAsRead(levels.asks, mid),
  };
}

/** @param mid NaN where the other side is empty: then nothing counts as depth */
function asFarAsRead(side: BookSide, mid: number): readonly number[] {
  const pairs: number[] = [];
  let usd = 0;
  for (const [price, size] of side) {
    if (usd >= FILL_CAP_USD && !(Math.abs(price - mid) <= mid * WINDOW)) break;
    pairs.push(price, size);
    usd += price * size;
  }
  return pairs;
}

import type { BookDivergence } from '../../collect/ports.ts';
import type { BookFrame, LevelList } from '../../venues/book-frame.ts';
import type { BookScale, OrderBook } from './order-book.ts';
import { PriceLevels } from './price-levels.ts';

/** Levels of each side that are compared, from the best on. */
const COMPARED = 10;

function load(sign: 1 | -1, list: LevelList, scale: BookScale): PriceLevels {
  const side = new PriceLevels(sign);
  side.load(list, scale.price, scale.size);
  return side;
}

/** Levels that both sides have with the same size, of the best few of either. */
function equalLevels(a: PriceLevels, b: PriceLevels): { readonly equal: number; readonly of: number } {
  const of = Math.min(COMPARED, Math.max(a.count, b.count));
  const sizes = new Map<number, number>();
  for (let rank = 0; rank < Math.min(of, a.count); rank++) sizes.set(a.keyAt(rank), a.sizeAt(rank));
  let equal = 0;
  for (let rank = 0; rank < Math.min(of, b.count); rank++) {
    if (sizes.get(b.keyAt(rank)) === b.sizeAt(rank)) equal++;
  }
  return { equal, of };
}

/** Distance of two best prices, bps; Infinity where only one side has one. */
function touchDistance(a: PriceLevels, b: PriceLevels): number {
  if (a.count === 0 && b.count === 0) return 0;
  if (a.count === 0 || b.count === 0) return Number.POSITIVE_INFINITY;
  return (Math.abs(a.bestKey - b.bestKey) / Math.abs(a.bestKey)) * 10_000;
}

/** Compares a book with a snapshot. Two empty books are equal. */
export function measureDivergence(book: OrderBook, frame: BookFrame): BookDivergence {
  const scale = frame.scaled ? { price: 1, size: 1 } : book.scale;
  const bids = load(1, frame.bids, scale);
  const asks = load(-1, frame.asks, scale);
  const bid = equalLevels(book.bids, bids);
  const ask = equalLevels(book.asks, asks);
  const of = bid.of + ask.of;
  return {
    equal: of === 0 ? 1 : (bid.equal + ask.equal) / of,
    touchBps: Math.max(touchDistance(book.bids, bids), touchDistance(book.asks, asks)),
  };
}

import fc from 'fast-check';
import type { BookLevel } from '../../src/domain/book.ts';
import type { OrderBook } from '../../src/market/books/order-book.ts';
import type { PriceLevels } from '../../src/market/books/price-levels.ts';
import { BookFrame } from '../../src/venues/book-frame.ts';
import type { PlainLevels } from './plain-book.ts';

/** Of a venue whose units are ours. */
export const SCALE = { price: 1, size: 1 };

/** A message in the venue's units. */
export function message(levels: PlainLevels, whole = false): BookFrame {
  const frame = new BookFrame();
  frame.isSnapshot = whole;
  frame.bids.load(levels.bids);
  frame.asks.load(levels.asks);
  return frame;
}

export const levelsOf = (side: PriceLevels): BookLevel[] =>
  Array.from({ length: side.count }, (_, rank) => [side.sign * side.keyAt(rank), side.sizeAt(rank)]);

export const contentOf = (book: OrderBook): PlainLevels => ({
  bids: levelsOf(book.bids),
  asks: levelsOf(book.asks),
});

/** Ticks around 100; sizes with a hole at 0, which removes. */
const level = (from: number, to: number): fc.Arbitrary<BookLevel> =>
  fc.tuple(
    fc.integer({ min: from, max: to }).map((tick) => tick / 20),
    fc.oneof(
      { arbitrary: fc.constant(0), weight: 1 },
      { arbitrary: fc.double({ min: 0.001, max: 90, noNaN: true }), weight: 2 },
    ),
  );

/** Bids and asks overlap a little, so that some books are crossed. */
export const change: fc.Arbitrary<PlainLevels> = fc.record({
  bids: fc.array(level(1900, 2003), { maxLength: 12 }),
  asks: fc.array(level(1998, 2100), { maxLength: 12 }),
});

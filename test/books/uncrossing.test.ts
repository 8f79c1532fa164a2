import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrderBook } from '../../src/market/books/order-book.ts';
import { change, contentOf, message, SCALE } from './order-book-rig.ts';

describe('uncrossing', () => {
  it('hides the older level of a crossed touch', () => {
    const book = new OrderBook({ scale: SCALE, uncrosses: true });
    book.replace(
      message(
        {
          bids: [
            [100, 1],
            [99, 1],
          ],
          asks: [
            [101, 1],
            [102, 1],
          ],
        },
        true,
      ),
    );
    expect(book.apply(message({ bids: [[101.5, 2]], asks: [] }))).toBe('good');
    expect(contentOf(book)).toEqual({
      bids: [
        [101.5, 2],
        [100, 1],
        [99, 1],
      ],
      asks: [[102, 1]],
    });
    expect(book.apply(message({ bids: [], asks: [[100.5, 3]] }))).toBe('good');
    expect(contentOf(book).bids[0]).toEqual([100, 1]);
    expect(contentOf(book).asks[0]).toEqual([100.5, 3]);
  });

  it('shows the hidden level again once what crossed it is gone', () => {
    const book = new OrderBook({ scale: SCALE, uncrosses: true });
    const whole: { bids: [number, number][]; asks: [number, number][] } = {
      bids: [[100, 1]],
      asks: [
        [101, 1],
        [102, 4],
      ],
    };
    book.replace(message(whole, true));
    book.apply(message({ bids: [[102, 3]], asks: [] }));
    expect(contentOf(book).asks).toEqual([]);
    book.apply(message({ bids: [[102, 0]], asks: [[101, 2]] }));
    expect(contentOf(book)).toEqual({
      bids: [[100, 1]],
      asks: [
        [101, 2],
        [102, 4],
      ],
    });
  });

  it('takes the smaller from the larger where both levels are of one message', () => {
    const book = new OrderBook({ scale: SCALE, uncrosses: true });
    book.replace(message({ bids: [[101, 5]], asks: [[100, 2]] }, true));
    expect(contentOf(book)).toEqual({ bids: [[101, 3]], asks: [] });
    book.replace(message({ bids: [[101, 2]], asks: [[100, 2]] }, true));
    expect(contentOf(book)).toEqual({ bids: [], asks: [] });
  });

  it('never leaves a cross behind', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const book = new OrderBook({ scale: SCALE, uncrosses: true });
        for (const levels of changes) {
          book.apply(message(levels));
          expect(book.isCrossed).toBe(false);
        }
      }),
      { numRuns: 100 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asMs } from '../../domain/units.ts';
import { ladder, makeBooks } from './book-fixture.ts';

const NOW = asMs(1_700_000_000_000);
const view = makeBooks(NOW, [
  {
    venue: 'v',
    symbol: 'A',
    bids: [[99, 5]],
    asks: [
      [100, 5],
      [110, 10],
    ],
  },
]).view;

describe('fills', () => {
  test('the last level is taken in part, and no side gives more than it has', () => {
    expect(view.fillPrice('v', 'A', 'buy', 500)).toBe(100);
    expect(view.fillPrice('v', 'A', 'buy', 1050)).toBeCloseTo(105, 9);
    expect(view.fillPrice('v', 'A', 'buy', 1600)).toBeCloseTo(1600 / 15, 9);
    expect(view.fillPrice('v', 'A', 'buy', 1601)).toBeUndefined();
    expect(view.fillPrice('v', 'A', 'sell', 495)).toBe(99);
    expect(view.fillPrice('v', 'A', 'sell', 496)).toBeUndefined();
    expect(view.fillPrice('v', 'B', 'buy', 1)).toBeUndefined();
  });

  test('all that a side is quoted for can be filled, whatever rounding does', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 9, noNaN: true }),
        fc.integer({ min: 1, max: 40 }),
        (size, count) => {
          const touch = 1000 / 7;
          const { view: books } = makeBooks(NOW, [
            {
              venue: 'v',
              symbol: 'A',
              bids: ladder(touch - 0.01, -0.01, size, count),
              asks: ladder(touch, 0.01, size, count),
            },
          ]);
          const cap = books.quote('v', 'A')?.maxFillableUsd ?? 0;
          expect(cap).toBeGreaterThan(0);
          expect(books.fillPrice('v', 'A', 'buy', cap)).toBeGreaterThanOrEqual(touch * (1 - 1e-12));
          expect(books.fillPrice('v', 'A', 'sell', cap)).toBeLessThan(touch);
        },
      ),
    );
  });
});

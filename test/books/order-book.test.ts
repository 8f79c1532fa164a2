import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BookLevel } from '../../src/domain/book.ts';
import type { DepthFigures } from '../../src/domain/depth-quote.ts';
import { OrderBook } from '../../src/market/books/order-book.ts';
import { change, contentOf, levelsOf, message, SCALE } from './order-book-rig.ts';
import { PlainBook } from './plain-book.ts';

const step = fc.record({ whole: fc.boolean().map((x) => x), change, rare: fc.integer({ min: 0, max: 9 }) });

function expectFigures(figures: DepthFigures | undefined, plain: DepthFigures | undefined): void {
  if (plain === undefined) {
    expect(figures).toBeUndefined();
    return;
  }
  for (const [name, value] of Object.entries(plain)) {
    const ours = figures?.[name as keyof DepthFigures];
    if (value === undefined) expect(ours, name).toBeUndefined();
    else expect(ours, name).toBeCloseTo(value, 8);
  }
}

describe('order book', () => {
  it('any schedule of messages: equals a reference book and quotes', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const book = new OrderBook({ scale: SCALE });
        const plain = new PlainBook();
        for (const { whole, change: levels, rare } of steps) {
          // Snapshots come seldom; a level named twice in a message counts as last named.
          if (whole && rare === 0) {
            book.replace(message(levels, true));
            plain.replace(levels);
          } else {
            book.apply(message(levels));
            plain.apply(levels);
          }
          const content = plain.levels();
          expect(contentOf(book)).toEqual(content);
          const crossed = (content.bids[0]?.[0] ?? -1) >= (content.asks[0]?.[0] ?? Number.MAX_VALUE);
          expect(book.isCrossed).toBe(crossed);
          expectFigures(book.figures(), plain.quote());
        }
      }),
      { numRuns: 300 },
    );
  });

  it('accepts a snapshot in any order, without its empty levels', () => {
    fc.assert(
      fc.property(change, fc.boolean(), (levels, turned) => {
        const once = <T extends BookLevel>(side: readonly T[]) => [
          ...new Map(side.map((l) => [l[0], l])).values(),
        ];
        const order = (side: readonly BookLevel[]) => (turned ? [...once(side)].reverse() : once(side));
        const given = { bids: order(levels.bids), asks: order(levels.asks) };
        const book = new OrderBook({ scale: SCALE });
        const plain = new PlainBook();
        book.replace(message(given, true));
        plain.replace(given);
        expect(contentOf(book)).toEqual(plain.levels());
      }),
      { numRuns: 200 },
    );
  });

  it('keeps thousands of levels in order while they come and go at both ends', () => {
    const book = new OrderBook({ scale: SCALE, mostLevels: 100_000 });
    const plain = new PlainBook();
    let seed = 7;
    const random = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed / 2 ** 32;
    };
    for (let i = 0; i < 6000; i++) {
      const bid = [100 - Math.floor(random() ** 3 * 5000) / 100, random() < 0.3 ? 0 : random()] as const;
      const ask = [101 + Math.floor(random() ** 3 * 5000) / 100, random() < 0.3 ? 0 : random()] as const;
      book.apply(message({ bids: [bid], asks: [ask] }));
      plain.apply({ bids: [bid], asks: [ask] });
    }
    expect(contentOf(book)).toEqual(plain.levels());
    expect(book.bids.count).toBeGreaterThan(800);
  });

  it('removes contract multipliers and sizes', () => {
    const book = new OrderBook({ scale: { price: 1000, size: 50_000 } });
    book.replace(message({ bids: [[7.5, 2]], asks: [[7.6, 3]] }, true));
    book.apply(message({ bids: [[7.4, 1]], asks: [] }));
    expect(contentOf(book)).toEqual({
      bids: [
        [7.5 / 1000, 100_000],
        [7.4 / 1000, 50_000],
      ],
      asks: [[7.6 / 1000, 150_000]],
    });
    const scaled = message({ bids: [[0.0075, 10]], asks: [] });
    scaled.scaled = true;
    book.apply(scaled);
    expect(book.bids.bestSize).toBe(10);
  });
});

describe('depth quote', () => {
  const quote = (bids: BookLevel[], asks: BookLevel[]) => {
    const book = new OrderBook({ scale: SCALE });
    book.replace(message({ bids, asks }, true));
    return book.figures();
  };

  it('is half the spread at every size on a book that fills at the touch', () => {
    const figures = quote([[99.9, 1000]], [[100.1, 1000]]);
    expect(figures?.spreadBps).toBeCloseTo(20, 9);
    expect(figures?.slippage1kBps).toBeCloseTo(10, 9);
    expect(figures?.slippage10kBps).toBeCloseTo(10, 9);
    expect(figures?.maxFillableUsd).toBe(10_000);
  });

  it('takes the worse side, and grows with the size', () => {
    const figures = quote(
      [[99.9, 1000]],
      [
        [100.1, 20],
        [100.5, 1000],
      ],
    );
    // 5,000 USD: 2,002 at 100.1, the rest at 100.5.
    const base = 20 + (5000 - 2002) / 100.5;
    expect(figures?.slippage5kBps).toBeCloseTo(((5000 / base - 100) / 100) * 10_000, 9);
    expect(figures?.slippage1kBps).toBeCloseTo(10, 9);
    expect(figures?.slippage10kBps).toBeGreaterThan(figures?.slippage5kBps ?? Number.NaN);
  });

  it('levels at 100 bps count, none behind; above the cap: null', () => {
    const figures = quote(
      [
        [99.9, 30],
        [99, 20],
        [98.99, 1e6],
      ],
      [[100.1, 1e6]],
    );
    expect(figures?.bidDepthUsd).toBeCloseTo(99.9 * 30 + 99 * 20, 9);
    expect(figures?.maxFillableUsd).toBeCloseTo(4977, 9);
    expect(figures?.slippage1kBps).toBeDefined();
    expect(figures?.slippage5kBps).toBeUndefined();
    expect(figures?.slippage10kBps).toBeUndefined();
  });

  it('fills a size that is exactly the cap', () => {
    const figures = quote([[100, 10]], [[101, 100]]);
    expect(figures?.maxFillableUsd).toBe(1000);
    expect(figures?.slippage1kBps).toBeDefined();
    expect(figures?.slippage5kBps).toBeUndefined();
  });

  it('one side, no side, a touch without a spread: not quoted', () => {
    expect(quote([[100, 1]], [])).toBeUndefined();
    expect(quote([], [])).toBeUndefined();
    expect(quote([[100, 1]], [[100, 1]])).toBeUndefined();
    expect(quote([[101, 1]], [[100, 1]])).toBeUndefined();
  });
});

describe('coverage of a book', () => {
  const ladder = (from: number, step: number, count: number, size: number): BookLevel[] =>
    Array.from({ length: count }, (_, i) => [from + i * step, size] as const);

  it('the levels of the initial snapshot consumed: `truncated`', () => {
    const book = new OrderBook({ scale: SCALE });
    // 100 levels of a book that goes on: 1 bps apart, so that they reach as far as the window.
    const bids = ladder(100, -0.01, 100, 5);
    const asks = ladder(100.01, 0.01, 100, 5);
    expect(book.replace(message({ bids, asks }, true), 100)).toBe('good');
    const remove = (count: number) => ({
      bids: [],
      asks: asks.slice(0, count).map(([p]) => [p, 0] as const),
    });
    expect(book.apply(message(remove(40)))).toBe('good');
    expect(book.apply(message(remove(60)))).toBe('truncated');
    expect(book.replace(message({ bids, asks }, true), 100)).toBe('good');
  });

  it('does not quote a fill beyond the covered depth', () => {
    const book = new OrderBook({ scale: SCALE });
    const bids = ladder(100, -0.01, 20, 50);
    const asks = ladder(100.01, 0.01, 20, 50);
    book.replace(message({ bids, asks }, true), 20);
    expect(book.figures()?.slippage10kBps).toBeDefined();
    // Most of the known asks shrink to crumbs; a wall stands behind them, but what lies between is not known.
    const crumbs = asks.map(([price]) => [price, 0.001] as const);
    book.apply(message({ bids: [], asks: [...crumbs, [100.9, 1000]] }));
    expect(book.figures()).toBeUndefined();
  });

  it('treats a shallow book as complete where the venue has no more levels', () => {
    const book = new OrderBook({ scale: SCALE });
    book.replace(message({ bids: [[100, 1]], asks: [[100.1, 1]] }, true), 1);
    expect(book.figures()).toMatchObject({ bidDepthUsd: 100, slippage1kBps: undefined });
  });

  it('a side above its size limit: truncated, nothing behind it', () => {
    const book = new OrderBook({ scale: SCALE, mostLevels: 200 });
    book.replace(message({ bids: ladder(100, -0.01, 10, 5), asks: ladder(100.01, 0.01, 10, 5) }, true));
    for (let i = 10; i < 1000; i++) book.apply(message({ bids: [[100 - i * 0.01, 5]], asks: [] }));
    expect(book.bids.count).toBeLessThanOrEqual(200);
    expect(book.figures()?.bestBid).toBe(100);
    const worst = book.bids.worstKey;
    book.apply(message({ bids: [[worst - 1, 5]], asks: [] }));
    expect(book.bids.worstKey).toBe(worst);
    // The price falls to where levels were given up.
    const gone = levelsOf(book.bids)
      .slice(0, -10)
      .map(([price]) => [price, 0] as const);
    expect(book.apply(message({ bids: gone, asks: [] }))).toBe('truncated');
  });
});

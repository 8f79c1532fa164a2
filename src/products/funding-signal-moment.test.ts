import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fundingSignal } from '../../test/world/present-signal.ts';
import { asMs } from '../domain/units.ts';
import { ladder, makeBooks } from '../market/books/book-fixture.ts';
import { FIXTURE_NOW } from '../market/row-fixture.ts';
import { made } from './asset-fixture.ts';
import { legBooksOf, pairDepth } from './books/leg-book.ts';
import { ALL, viewOf } from './signal-fixture.ts';

const symbol = 'BTC';
const VIEW = viewOf({
  binance: [5, { symbol, rate: 0.0001, interval: 8 }],
  bybit: [5.5, { symbol, rate: 0.002, interval: 4 }],
});

/** A book about a mid, with so much spread and so many USD a level. */
const book = fc
  .record({
    mid: fc.double({ min: 50, max: 150, noNaN: true }),
    halfBps: fc.double({ min: 0.5, max: 40, noNaN: true }),
    levelUsd: fc.double({ min: 100, max: 20_000, noNaN: true }),
  })
  .map(({ mid, halfBps, levelUsd }) => {
    const half = (mid * halfBps) / 10_000;
    const step = (mid * 3) / 10_000;
    const size = levelUsd / mid;
    return { bids: ladder(mid - half, -step, size, 12), asks: ladder(mid + half, step, size, 12) };
  });

const now = asMs(FIXTURE_NOW);

describe('legs of the funding signal', () => {
  test('any books: legs add up to the entry, each about its own touch', () => {
    fc.assert(
      fc.property(book, book, (ofShort, ofLong) => {
        const books = makeBooks(now, [
          { venue: 'bybit', symbol, ...ofShort },
          { venue: 'binance', symbol, ...ofLong },
        ]).view;
        const [signal] = made(fundingSignal(VIEW, legBooksOf(books), ALL, now)).body.opportunities;
        const { short, long, max_notional_usd: size, entry_slippage_bps: entry } = signal ?? raise();
        expect(short).toMatchObject({ best_bid: ofShort.bids[0]?.[0], best_ask: ofShort.asks[0]?.[0] });
        expect(long).toMatchObject({ best_bid: ofLong.bids[0]?.[0], best_ask: ofLong.asks[0]?.[0] });
        const at = { 1000: 'slippage_1k_bps', 5000: 'slippage_5k_bps', 10000: 'slippage_10k_bps' } as const;
        if (size !== 1000 && size !== 5000 && size !== 10_000) return;
        expect(Number(short[at[size]]) + Number(long[at[size]])).toBeCloseTo(entry ?? Number.NaN, 9);
        const halfSpread = (bid: number, ask: number): number => ((ask - bid) / (ask + bid)) * 10_000;
        expect(short[at[size]]).toBeGreaterThanOrEqual(
          halfSpread(Number(short.best_bid), Number(short.best_ask)) - 1e-6,
        );
      }),
      { numRuns: 200 },
    );
  });

  test('a book that changes after it was read: the leg keeps what was read', () => {
    const store = makeBooks(now, [
      { venue: 'bybit', symbol, bids: ladder(99.9, -0.1, 500, 5), asks: ladder(100.1, 0.1, 500, 5) },
    ]);
    const leg = legBooksOf(store.view)(VIEW.row('bybit', 'crypto:BTC') ?? raise());
    const before = structuredClone(leg);
    store.write({ venue: 'bybit', symbol, bids: ladder(80, -0.1, 1, 5), asks: ladder(120, 0.1, 1, 5) });
    expect(leg).toEqual(before);
    expect(pairDepth(leg, leg)).toMatchObject({ maxNotionalUsd: 10_000 });
  });
});

function raise(): never {
  throw new Error('there is none');
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asBps, asMs } from '../../domain/units.ts';
import { type BookSketch, ladder, makeBooks } from '../../market/books/book-fixture.ts';
import type { RowSketch } from '../../market/row-fixture.ts';
import { expectPublic, makeAsset, withoutFee } from '../asset-fixture.ts';
import { ratesOf } from '../rows/quote-rates.ts';
import { type SplitTerms, splitExecution } from './split-execution.ts';

const NOW = asMs(1_800_000_000_000);
const symbol = 'BTCUSDT';
const none = () => ratesOf([]);

const terms = (more: Partial<SplitTerms> = {}): SplitTerms => ({
  size: 10_000,
  side: 'buy',
  rankBy: 'slippage',
  venuesMax: 100,
  ...more,
});

interface Shape {
  readonly mid: number;
  readonly usd: number;
  readonly count: number;
  readonly fee: number;
}

function setUp(shapes: readonly Shape[], rows: readonly RowSketch[] = []) {
  const sketches = shapes.map(({ mid, usd, count }, i): BookSketch => {
    const size = usd / mid;
    const levels = (step: number) => ladder(mid + step / 2, step, size, count);
    return { venue: `v${i + 1}`, symbol, bids: levels(-mid / 1000), asks: levels(mid / 1000) };
  });
  const fees = Object.fromEntries(shapes.map(({ fee }, i) => [`v${i + 1}`, { takerFeeBps: asBps(fee) }]));
  const asset = makeAsset(
    shapes.map((_, i) => ({ symbol, ...rows[i] })),
    fees,
  );
  return { asset, books: makeBooks(NOW, sketches).view };
}

function bodyOf(found: ReturnType<typeof splitExecution>) {
  if (!found.ok) throw new Error(found.error.detail);
  expectPublic(found.value.body);
  return found.value.body;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  mid: fc.double({ min: 98, max: 102, noNaN: true }),
  usd: fc.integer({ min: 100, max: 9000 }),
  count: fc.integer({ min: 1, max: 9 }),
  fee: fc.integer({ min: 0, max: 10 }),
});
const side = fc.constantFrom('buy', 'sell', 'worse');

describe('a route that splits', () => {
  test('is never above the best single venue, and adds up', () => {
    fc.assert(
      fc.property(
        fc.array(shape, { minLength: 1, maxLength: 6 }),
        side,
        fc.integer({ min: 1, max: 6 }),
        (shapes, asked, venuesMax) => {
          const { asset, books } = setUp(shapes);
          const body = bodyOf(splitExecution(asset, books, terms({ side: asked, venuesMax }), none));
          const { split, route } = body;
          if (split.best_single !== null) {
            expect(split.all_in_bps).toBeLessThanOrEqual(split.best_single.all_in_bps + 1e-9);
            expect(body.unfilled_usd).toBeCloseTo(0, 6);
          }
          expect(route.length).toBeLessThanOrEqual(venuesMax);
          for (const leg of route) expect(leg.allocated_usd).toBeLessThanOrEqual(leg.max_fillable_usd);
          const shown = route.map((leg) => leg.slippage_bps);
          expect(shown).toEqual([...shown].sort((a, b) => a - b));
          const allocated = route.reduce((sum, leg) => sum + leg.allocated_usd, 0);
          expect(allocated).toBeCloseTo(body.total_filled_usd, 6);
          expect(allocated + body.unfilled_usd).toBeCloseTo(10_000, 6);
          // The legs' cost, by their own average prices and fees, equals the stated cost of the split.
          const sign = split.side === 'buy' ? 1 : -1;
          const prices = route.map((leg) => {
            const units = leg.allocated_usd / split.reference_price;
            return (
              units *
              (leg.average_price ?? Number.NaN) *
              (1 + (sign * (leg.taker_fee_bps ?? Number.NaN)) / 10_000)
            );
          });
          const units = allocated / split.reference_price;
          const mean = prices.reduce((sum, part) => sum + part, 0) / units;
          const bps = ((sign * (mean - split.reference_price)) / split.reference_price) * 10_000;
          expect(split.all_in_bps).toBeCloseTo(bps, 6);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('a worse price for a lower fee: taken up to the equal total', () => {
    const shapes = [
      { mid: 100, usd: 3000, count: 9, fee: 0 },
      { mid: 100, usd: 30_000, count: 9, fee: 15 },
    ];
    const { asset, books } = setUp(shapes);
    const { route, split } = bodyOf(splitExecution(asset, books, terms(), none));
    // 5 and 15 bps from the mid without a fee come before 5 bps with 15 bps of fee.
    expect(route.map(({ venue }) => venue)).toEqual(['v2', 'v1']);
    expect(route[1]?.allocated_usd).toBeCloseTo(6000, -2);
    expect(split.best_single?.venue).toBe('v1');
    expect(split.saved_bps).toBeGreaterThan(0);
  });

  test('venues without a public fee: named, and no part of the route', () => {
    const { asset, books } = setUp([
      { mid: 100, usd: 9000, count: 5, fee: 5 },
      { mid: 99, usd: 9000, count: 5, fee: 0 },
    ]);
    const quiet = withoutFee(asset, 'v2');
    const { split, route } = bodyOf(splitExecution(quiet, books, terms(), none));
    expect(split.venues_without_fee).toEqual(['v2']);
    expect(route.map(({ venue }) => venue)).toEqual(['v1']);
    const silent = withoutFee(asset, 'v1', 'v2');
    expect(splitExecution(silent, books, terms(), none)).toMatchObject({ error: { code: 'no_data' } });
  });

  test('answers the more expensive side where none is given', () => {
    const sketches = setUp([{ mid: 100, usd: 20_000, count: 5, fee: 5 }]);
    const thin = makeBooks(NOW, [
      {
        venue: 'v1',
        symbol,
        bids: ladder(99.95, -0.1, 30, 9),
        asks: ladder(100.05, 0.1, 200, 9),
      },
    ]).view;
    expect(bodyOf(splitExecution(sketches.asset, thin, terms({ side: 'worse' }), none)).split.side).toBe(
      'sell',
    );
  });

  test('price above the reference: no venue gets more than its book fills', () => {
    const { asset, books } = setUp([
      { mid: 90, usd: 3000, count: 1, fee: 5 },
      { mid: 100, usd: 30_000, count: 1, fee: 5 },
    ]);
    const { route } = bodyOf(splitExecution(asset, books, terms(), none));
    const [leg] = route.filter(({ venue }) => venue === 'v1');
    expect(leg?.allocated_usd).toBeLessThanOrEqual(leg?.max_fillable_usd ?? 0);
    expect(leg?.allocated_usd).toBeCloseTo(leg?.max_fillable_usd ?? 0, 6);
  });

  const inTwoCurrencies = [
    { mid: 100, usd: 20_000, count: 5, fee: 5 },
    // The same price, in a coin that is worth 20 bps more.
    { mid: 99.8, usd: 20_000, count: 5, fee: 5 },
  ];
  const rates = () => ({
    unit: 'USDT',
    list: [],
    of: (quote: string) => ({ USDC: 1.002, USDT: 1 })[quote],
  });

  test('another quote currency with a rate: prices are converted by it', () => {
    const { asset, books } = setUp(inTwoCurrencies, [{ quote: 'USDT' }, { quote: 'USDC' }]);
    const fair = bodyOf(splitExecution(asset, books, terms(), rates));
    expect(fair.split).toMatchObject({
      quote_adjusted: true,
      reference_quote: 'USDT',
      venues_without_rate: [],
    });
    expect(fair.split.all_in_bps).toBeGreaterThan(9);
    expect(fair.split.reference_price).toBeCloseTo(100, 2);
  });

  test('quote currency without a rate: its venue is left out by name', () => {
    const shapes = [...inTwoCurrencies, { mid: 80, usd: 20_000, count: 5, fee: 0 }];
    const { asset, books } = setUp(shapes, [{ quote: 'USDT' }, { quote: 'USDC' }, { quote: 'EUR' }]);
    const { split, route } = bodyOf(splitExecution(asset, books, terms(), rates));
    expect(split).toMatchObject({
      quote_adjusted: true,
      reference_quote: 'USDT',
      venues_without_rate: ['v3'],
    });
    expect(split.reference_price).toBeCloseTo(100, 2);
    expect(route.map(({ venue }) => venue)).not.toContain('v3');
  });

  test('no rate at all: the currency that most venues quote in', () => {
    const shapes = [...inTwoCurrencies, { mid: 99.8, usd: 20_000, count: 5, fee: 5 }];
    const { asset, books } = setUp(shapes, [{ quote: 'EUR' }, { quote: 'CHF' }, { quote: 'CHF' }]);
    const { split } = bodyOf(splitExecution(asset, books, terms(), none));
    expect(split).toMatchObject({ reference_quote: 'CHF', venues_without_rate: ['v1'] });
    expect(split.reference_price).toBeCloseTo(99.8, 6);
  });

  test('USDT0 beside USDT: one currency, without a rate', () => {
    const { asset, books } = setUp(inTwoCurrencies, [{ quote: 'USDT' }, { quote: 'USDT0' }]);
    const { split } = bodyOf(splitExecution(asset, books, terms(), none));
    expect(split).toMatchObject({ quote_adjusted: true, reference_quote: 'USDT', venues_without_rate: [] });
  });
});

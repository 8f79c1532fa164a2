import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeRow, type RowSketch } from '../../market/row-fixture.ts';
import { commonQuote, ratesOf } from './quote-rates.ts';

/** A contract of BTC or of a coin. */
const contract = (venue: string, quote: string, mark: number, more: RowSketch = {}) =>
  makeRow({ venue, quote, mark, symbol: `BTC${quote}`, ...more });

describe('rates of quote currencies', () => {
  test('contain only the unit where no venue quotes in two currencies', () => {
    const rates = ratesOf([contract('a', 'USDT', 100), contract('b', 'USDC', 99), contract('c', 'USD', 98)]);
    expect(rates.unit).toBe('USDT');
    expect(rates.list).toEqual([]);
    expect(['USDT', 'USDC', 'USD'].map(rates.of)).toEqual([1, undefined, undefined]);
  });

  test('are the median over venues and assets, with sample counts', () => {
    const rates = ratesOf([
      ...[contract('a', 'USDT', 100.1), contract('a', 'USDC', 100)],
      ...[contract('b', 'USDT', 100.2), contract('b', 'USDC', 100)],
      ...[contract('c', 'USDT', 109), contract('c', 'USDC', 100, { age: 5000 })],
    ]);
    expect(rates.of('USDC')).toBeCloseTo(1.002, 12);
    expect(rates.list).toMatchObject([{ quote: 'USDC', samples: 3, venues: ['a', 'b', 'c'] }]);
    expect(rates.list[0]?.updatedAt).toBe(contract('x', 'X', 1, { age: 5000 }).updatedAt);
  });

  test('a linked USD: the unit; else cross rates between stable coins', () => {
    const rates = ratesOf([
      makeRow({ venue: 'k', ticker: 'USDT', symbol: 'USDTUSD', quote: 'USD', mark: 0.999 }),
      makeRow({ venue: 'g', ticker: 'USDC', symbol: 'USDC_USDT', quote: 'USDT', mark: 1.002 }),
      ...[contract('a', 'USDC', 100), contract('a', 'USD1', 100.5)],
    ]);
    expect(rates.unit).toBe('USD');
    expect(rates.of('USDT')).toBeCloseTo(0.999, 12);
    expect(rates.of('USDC')).toBeCloseTo(0.999 * 1.002, 12);
    expect(rates.of('USD1')).toBeCloseTo((0.999 * 1.002) / 1.005, 12);
    expect(rates.list.find(({ quote }) => quote === 'USD1')?.venues).toEqual(['a', 'g', 'k']);
  });

  test('marks not fresh, not comparable or a minute apart: not counted', () => {
    const rates = ratesOf([
      ...[contract('a', 'USDT', 100), contract('a', 'USDC', 50, { age: 62_000 })],
      ...[contract('b', 'USDT', 100), contract('b', 'USDC', 50, { fresh: false })],
      ...[contract('c', 'USDT', 100), contract('c', 'USDC', 50, { reason: 'price_dispersion' })],
      ...[contract('d', 'USDT', 100), contract('d', 'USDC', 50, { mark: undefined })],
    ]);
    expect(rates.list).toEqual([]);
  });

  test('consistent prices: the rates are recovered', () => {
    const worth = fc.double({ min: 0.9, max: 1.1, noNaN: true });
    const level = fc.double({ min: 1e-3, max: 1e5, noNaN: true });
    fc.assert(
      fc.property(worth, worth, level, level, (usdc, usd, first, second) => {
        const of: Readonly<Record<string, number>> = { USDT: 1, USDC: usdc, USD: usd };
        const at = (venue: string, quote: string, price: number) =>
          contract(venue, quote, price / (of[quote] ?? 1));
        const rates = ratesOf([
          ...[at('a', 'USDT', first), at('a', 'USDC', first)],
          ...[at('b', 'USDC', second), at('b', 'USD', second)],
        ]);
        expect(rates.unit).toBe('USD');
        expect(rates.of('USDT')).toBeCloseTo(1 / usd, 9);
        expect(rates.of('USDC')).toBeCloseTo(usdc / usd, 9);
        const common = commonQuote(['USDT', 'USDC'], rates);
        const prices = ['USDT', 'USDC'].map((quote) => (first / (of[quote] ?? 1)) * common.factor(quote));
        expect((prices[0] ?? 0) / (prices[1] ?? 1)).toBeCloseTo(1, 9);
      }),
    );
  });

  test('one shared quote: no rate; an unknown one: prices stay', () => {
    const none = ratesOf([]);
    expect(commonQuote(['EUR', 'EUR'], none)).toMatchObject({ quote: 'EUR', adjusted: true });
    const mixed = commonQuote(['EUR', 'USDT'], none);
    expect(mixed).toMatchObject({ quote: null, adjusted: false });
    expect([mixed.factor('EUR'), mixed.factor('USDT')]).toEqual([1, 1]);
  });

  test('another name of a coin: has its worth, and ties currencies like it', () => {
    const rates = ratesOf([
      makeRow({ venue: 'n', symbol: 'BTCUSDT0', quote: 'USDT0', mark: 100 }),
      makeRow({ venue: 'n', symbol: 'BTCUSDC', quote: 'USDC', mark: 99.8 }),
    ]);
    expect(rates.unit).toBe('USDT');
    for (const name of ['USDT', 'USDT0', 'USD₮0', 'USD₮']) expect(rates.of(name)).toBe(1);
    expect(rates.of('USDC')).toBeCloseTo(100 / 99.8, 9);
    expect(commonQuote(['USDT0', 'USDT'], rates)).toMatchObject({ quote: 'USDT', adjusted: true });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openInterestDecoder } from './open-interest.ts';
import { listing, makeMarket } from './unified-fixture.ts';

const SYMBOL = 'BTC/USDT:USDT';
const MARKS = { BTCUSDT: 50_000 };

function decode(row: object, options: { size?: number; base?: string; marks?: object; venue?: string } = {}) {
  const { size = 1, base = 'BTC', marks = MARKS, venue = 'somewhere' } = options;
  const context = listing([makeMarket({ contractSize: size, base })], { ...marks });
  return openInterestDecoder(venue)([{ symbol: SYMBOL, ...row }], context);
}

describe('unified open interest', () => {
  it('in contracts is detected by its value', () => {
    const { quotes, rejects } = decode(
      { openInterestAmount: 32_476_092, openInterestValue: 1.63e9 },
      { size: 0.001 },
    );
    expect(quotes).toEqual([
      {
        symbol: 'BTCUSDT',
        openInterestRaw: 32_476_092,
        openInterestBase: expect.closeTo(32_476.092, 6),
        openInterestUsd: 1.63e9,
      },
    ]);
    expect(rejects).toEqual([]);
  });

  it('in base units is detected by its value, whatever the contract size', () => {
    const row = { openInterestAmount: 21_005.8, openInterestValue: 1.05e9 };
    expect(decode(row, { size: 0.0001 }).quotes).toMatchObject([{ openInterestBase: 21_005.8 }]);
  });

  it('counts tickers: the multiplier of the name is removed', () => {
    const row = { openInterestAmount: 500, openInterestValue: 6 };
    const quotes = decode(row, { base: '1000PEPE', marks: { BTCUSDT: 0.000012 } }).quotes;
    expect(quotes).toMatchObject([{ openInterestRaw: 500, openInterestBase: 500_000, openInterestUsd: 6 }]);
  });

  it('whose value repeats base units has no value', () => {
    const row = { openInterestAmount: 469_919, openInterestValue: 469.919 };
    const { quotes, rejects } = decode(row, { size: 0.001 });
    expect(quotes).toEqual([{ symbol: 'BTCUSDT', openInterestRaw: 469_919, openInterestBase: 469.919 }]);
    expect(rejects).toEqual([]);
  });

  it('of amounts alone is base units where a contract is one', () => {
    expect(decode({ openInterestAmount: 7 }).quotes).toMatchObject([{ openInterestBase: 7 }]);
  });

  it.each([
    ['amounts alone, and contracts are not base units', { openInterestAmount: 7 }, 0.001],
    ['a value alone', { openInterestValue: 7 }, 1],
    ['figures that contradict each other', { openInterestAmount: 7, openInterestValue: 9 }, 1],
  ])('of %s stays raw', (_what, row, size) => {
    const { quotes, rejects } = decode(row, { size });
    expect(quotes).toEqual([{ symbol: 'BTCUSDT', openInterestRaw: 7 }]);
    expect(rejects).toEqual([{ symbol: 'BTCUSDT', reason: 'unknown_unit', detail: 'openInterestBase' }]);
  });

  it.each([
    ['kucoinfutures', { openInterestAmount: 7 }, { openInterestRaw: 7, openInterestBase: 0.007 }],
    ['weex', { openInterestAmount: '7.5' }, { openInterestRaw: 7.5, openInterestBase: 7.5 }],
    ['hitbtc', { openInterestValue: 30.98 }, { openInterestRaw: 30.98, openInterestBase: 30.98 }],
  ])('of %s has a known unit', (venue, row, quote) => {
    const { quotes, rejects } = decode(row, { size: 0.001, venue });
    expect(quotes).toEqual([{ symbol: 'BTCUSDT', ...quote }]);
    expect(rejects).toEqual([]);
  });

  it('of zero is data', () => {
    expect(decode({ openInterestAmount: 0, openInterestValue: 0 }, { size: 10 }).quotes).toEqual([
      { symbol: 'BTCUSDT', openInterestRaw: 0, openInterestBase: 0, openInterestUsd: 0 },
    ]);
    expect(decode({ openInterestValue: 0 }).quotes).toMatchObject([{ openInterestUsd: 0 }]);
  });

  it('that is no number is a fault', () => {
    const { quotes, rejects } = decode({ openInterestAmount: -4 });
    expect(quotes).toEqual([]);
    expect(rejects).toMatchObject([{ reason: 'out_of_range' }, { reason: 'missing_field' }]);
  });

  it('never throws, whatever comes', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (amount, value) => {
        const row = { openInterestAmount: amount, openInterestValue: value };
        for (const quote of decode(row, { size: 0.01 }).quotes) {
          expect(quote.openInterestBase ?? 0).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unitAmount } from './amount-unit.ts';
import { tickersDecoder } from './tickers.ts';
import { listing, makeMarket } from './unified-fixture.ts';

const SYMBOL = 'BTC/USDT:USDT';
const contracts = (contractSize: number, base = 'BTC') => [makeMarket({ contractSize, base })];

function decode(row: object, context = listing(), venue = 'somewhere') {
  return tickersDecoder(venue)({ [SYMBOL]: { symbol: SYMBOL, ...row } }, context);
}

describe('an amount and its value', () => {
  const price = 50_000;

  it.each([
    ['base units', { amount: 10, value: 510_000, contractSize: 1 }, { base: 10, value: 510_000 }],
    [
      'base units, although contracts are smaller',
      { amount: 10, value: 510_000, contractSize: 0.001 },
      { base: 10, value: 510_000 },
    ],
    ['contracts', { amount: 10_000, value: 510_000, contractSize: 0.001 }, { base: 10, value: 510_000 }],
    [
      'contracts, whose value repeats base units',
      { amount: 469_919, value: 469.919, contractSize: 0.001 },
      { base: 469.919 },
    ],
    [
      'base units, which the value repeats',
      { amount: 30.98, value: 30.98, contractSize: 1 },
      { base: 30.98 },
    ],
    ['nothing', { amount: 0, value: 0, contractSize: 10 }, { base: 0, value: 0 }],
    ['a value alone', { amount: undefined, value: 510_000, contractSize: 1 }, { value: 510_000 }],
    [
      'base units alone, where a contract is one',
      { amount: 10, value: undefined, contractSize: 1 },
      { base: 10 },
    ],
    ['nothing stated', { amount: undefined, value: undefined, contractSize: 1 }, {}],
  ])('count %s', (_what, stated, counted) => {
    expect(unitAmount({ price, ...stated })).toEqual(counted);
  });

  it.each([
    ['contradict each other', { amount: 10, value: 7, price, contractSize: 1 }],
    ['contradict each other in contracts too', { amount: 10, value: 7, price, contractSize: 0.01 }],
    [
      'have no value, and contracts are not base units',
      { amount: 10, value: undefined, price, contractSize: 0.01 },
    ],
    [
      'have no price, and contracts are not base units',
      { amount: 10, value: 5, price: undefined, contractSize: 0.01 },
    ],
    ['have a value of zero', { amount: 10, value: 0, price, contractSize: 0.01 }],
  ])('are undecided where they %s', (_what, stated) => expect(unitAmount(stated)).toBeUndefined());

  it('are decided whatever the price did within the day', () => {
    const positive = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    const size = fc.constantFrom(0.0001, 0.001, 0.01, 0.1, 10, 100, 1000);
    fc.assert(
      fc.property(
        positive(1e-6, 1e6),
        positive(1e-3, 1e9),
        positive(0.6, 1.6),
        size,
        (last, base, drift, contractSize) => {
          const value = base * last * drift;
          expect(unitAmount({ amount: base, value, price: last, contractSize })).toEqual({ base, value });
          const counted = unitAmount({ amount: base / contractSize, value, price: last, contractSize });
          expect(counted?.base).toBeCloseTo(base, 6);
        },
      ),
    );
  });
});

describe('unified tickers', () => {
  it('give mark, index, best prices and volume per ticker unit', () => {
    const context = listing(contracts(10, '1000PEPE'));
    const row = {
      last: 0.0121,
      markPrice: 0.012,
      indexPrice: 0.0122,
      bid: 0.0119,
      ask: 0.0123,
      baseVolume: 5_000_000,
      quoteVolume: 605_000,
    };
    expect(decode(row, context)).toMatchObject({
      quotes: [
        {
          symbol: 'BTCUSDT',
          markPrice: expect.closeTo(0.000012, 15),
          indexPrice: expect.closeTo(0.0000122, 15),
          bestBid: expect.closeTo(0.0000119, 15),
          bestAsk: expect.closeTo(0.0000123, 15),
          volume24hRaw: 5_000_000,
          volume24hBase: 50_000_000_000,
          volume24hUsd: 605_000,
        },
      ],
      rejects: [],
    });
  });

  it('take the mark for the price where nothing was traded', () => {
    const row = { baseVolume: 10_000, quoteVolume: 500_000 };
    const context = listing(contracts(0.001), { BTCUSDT: 50_000 });
    expect(decode(row, context).quotes).toMatchObject([{ volume24hBase: 10, volume24hUsd: 500_000 }]);
    expect(decode({ ...row, markPrice: 50_000 }, listing(contracts(0.001))).quotes).toMatchObject([
      { volume24hBase: 10 },
    ]);
  });

  it('never show the last price as a mark', () => {
    expect(decode({ last: 5, close: 5, bid: 4 }).quotes).toEqual([{ symbol: 'BTCUSDT', bestBid: 4 }]);
  });

  it('keep a volume of unknown unit as the raw number only', () => {
    const { quotes, rejects } = decode({ markPrice: 5, baseVolume: 7 }, listing(contracts(0.001)));
    expect(quotes).toEqual([{ symbol: 'BTCUSDT', markPrice: 5, volume24hRaw: 7 }]);
    expect(rejects).toEqual([{ symbol: 'BTCUSDT', reason: 'unknown_unit', detail: 'volume24hBase' }]);
  });

  it('have a known unit where the exchange is known', () => {
    const { quotes, rejects } = decode({ baseVolume: 7 }, listing(contracts(0.01)), 'myokx');
    expect(quotes).toEqual([{ symbol: 'BTCUSDT', volume24hRaw: 7, volume24hBase: expect.closeTo(0.07, 12) }]);
    expect(rejects).toEqual([]);
  });

  it('are faults of their field where a number cannot be', () => {
    const { quotes, rejects } = decode({ markPrice: -1, bid: 'x', baseVolume: -5, quoteVolume: 'y' });
    expect(quotes).toEqual([]);
    expect(rejects).toHaveLength(5);
    expect(rejects.at(-1)).toMatchObject({ reason: 'missing_field', detail: 'no metric' });
  });

  it('never throw, whatever comes', () => {
    const context = listing();
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (payload, field) => {
        tickersDecoder('somewhere')(payload, context);
        const row = { last: field, markPrice: field, baseVolume: field, quoteVolume: field, bid: field };
        for (const quote of decode(row).quotes) {
          for (const value of Object.values(quote)) expect(value).not.toBeNaN();
        }
      }),
    );
  });
});

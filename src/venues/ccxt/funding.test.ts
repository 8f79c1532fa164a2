import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../runtime/duration.ts';
import { decodeFunding, readIntervalText } from './funding.ts';
import { listing, makeMarket, NOW } from './unified-fixture.ts';

const NEXT = Date.UTC(2026, 10, 20, 16);
const LAST = Date.UTC(2026, 10, 20, 8);
const SYMBOL = 'BTC/USDT:USDT';

/** The patch of one funding rate. */
const read = (row: object) => decodeFunding([{ symbol: SYMBOL, ...row }], listing()).quotes[0];

describe('interval text', () => {
  it.each([
    ['8h', 8],
    ['1h', 1],
    ['24h', 24],
    ['480m', 8],
    ['60m', 1],
    ['1d', 1 * 24],
    ['28800000', 8],
    ['7200000', 2],
  ])('%s is %d hours', (text, hours) => expect(readIntervalText(text)).toBe(hours));

  it.each([
    '',
    '0h',
    '0.5h',
    '30m',
    '25h',
    '1800000',
    'h',
    '8',
    '8H',
    '48h',
    '-28800000',
    'undefinedh',
    'NaNh',
    '8h ',
    undefined,
    null,
    8,
    {},
  ])('%j is unknown', (text) => expect(readIntervalText(text)).toBeUndefined());

  it('is never an interval that the text does not state', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const hours = readIntervalText(text);
        if (hours !== undefined) expect(Number.parseFloat(text)).toBeGreaterThan(0);
      }),
    );
  });
});

describe('the next settlement', () => {
  it.each([
    [
      'the first time, the second is the one after',
      { fundingTimestamp: NEXT, nextFundingTimestamp: NEXT + 8 * HOUR_MS },
    ],
    ['the first time alone', { fundingTimestamp: NEXT }],
    ['the first time, the second is a past start', { fundingTimestamp: NEXT, nextFundingTimestamp: LAST }],
  ])('is %s; its rate is the first', (_what, times) => {
    const quote = read({ fundingRate: 0.0001, nextFundingRate: 0.0009, ...times });
    expect(quote).toMatchObject({ fundingRate: 0.0001, nextFundingTime: NEXT });
  });

  it.each([
    ['settled before', LAST],
    ['is the time of the answer', NOW - 20],
  ])('is the second time where the first %s; its rate is the second', (_what, fundingTimestamp) => {
    const row = {
      fundingTimestamp,
      nextFundingTimestamp: NEXT,
      fundingRate: 0.0001,
      nextFundingRate: 0.0009,
    };
    expect(read(row)).toMatchObject({ fundingRate: 0.0009, nextFundingTime: NEXT });
  });

  it('the first time missing: the second one; the rate is the present one', () => {
    const row = { nextFundingTimestamp: NEXT, fundingRate: 0.0001, nextFundingRate: 0.0009 };
    expect(read(row)).toMatchObject({ fundingRate: 0.0001, nextFundingTime: NEXT });
  });

  it.each([
    ['not stated', undefined],
    ['stated as nothing', null],
  ])('first rate %s: it is the next rate, at the next time', (_what, fundingRate) => {
    const row = { fundingRate, nextFundingTimestamp: NEXT, nextFundingRate: 0.0009 };
    expect(read(row)).toMatchObject({ fundingRate: 0.0009, nextFundingTime: NEXT });
    // Of both times the earlier one is its own.
    const beside = { ...row, fundingTimestamp: NEXT + HOUR_MS };
    expect(read(beside)).toMatchObject({ fundingRate: 0.0009, nextFundingTime: NEXT });
  });

  it.each([
    ['the one after', NEXT + 8 * HOUR_MS],
    ['past', LAST],
    ['not stated', undefined],
  ])('next rate alone, first time ahead, its own time %s: no rate', (_what, nextFundingTimestamp) => {
    const row = { fundingTimestamp: NEXT, nextFundingTimestamp, nextFundingRate: 0.0009 };
    expect(read(row)).toEqual({ symbol: 'BTCUSDT', nextFundingTime: NEXT });
  });

  it('next rate alone, no time that lies ahead: nothing is read', () => {
    expect(read({ nextFundingRate: 0.0009 })).toBeUndefined();
    expect(read({ nextFundingRate: 0.0009, nextFundingTimestamp: LAST })).toBeUndefined();
  });

  it('is the earlier one where both lie ahead', () => {
    const row = { fundingTimestamp: NEXT, nextFundingTimestamp: NEXT - HOUR_MS, fundingRate: 0.0001 };
    expect(read(row)?.nextFundingTime).toBe(NEXT - HOUR_MS);
  });

  it.each([
    ['both are past', { fundingTimestamp: LAST - 8 * HOUR_MS, nextFundingTimestamp: LAST }],
    ['none is stated', {}],
    ['it is days away', { fundingTimestamp: NEXT + 48 * HOUR_MS }],
    ['it is more than an interval away', { fundingTimestamp: NEXT, interval: '1h' }],
    ['it is the stamp of the data on a fast clock', { fundingTimestamp: NOW + 900, timestamp: NOW + 900 }],
    ['it is no time', { fundingTimestamp: 28_800, nextFundingTimestamp: Number.NaN }],
  ])('is unknown where %s', (_what, times) => {
    const quote = read({ fundingRate: 0.0001, ...times });
    expect(quote).toMatchObject({ fundingRate: 0.0001 });
    expect(quote).not.toHaveProperty('nextFundingTime');
  });

  it('is unknown without a receipt time', () => {
    const { receivedAt: _at, ...context } = listing();
    const row = { symbol: SYMBOL, fundingRate: 0.0001, nextFundingRate: 0.0009, fundingTimestamp: NEXT };
    expect(decodeFunding([row], context).quotes).toEqual([{ symbol: 'BTCUSDT', fundingRate: 0.0001 }]);
  });

  it('always lies ahead, within a day', () => {
    const time = fc.option(fc.integer({ min: NOW - 72 * HOUR_MS, max: NOW + 72 * HOUR_MS }), {
      nil: undefined,
    });
    fc.assert(
      fc.property(time, time, time, (fundingTimestamp, nextFundingTimestamp, timestamp) => {
        const quote = read({ fundingRate: 1e-4, fundingTimestamp, nextFundingTimestamp, timestamp });
        const next = quote?.nextFundingTime;
        if (next === undefined) return;
        expect(next).toBeGreaterThan(NOW);
        expect(next - NOW).toBeLessThanOrEqual(24 * HOUR_MS + 60_000);
      }),
    );
  });
});

describe('unified funding rates', () => {
  it('give rate, interval, mark and index per ticker unit', () => {
    const context = listing([makeMarket({ id: 'X', symbol: '1000PEPE/USDT:USDT', base: '1000PEPE' })]);
    const row = {
      symbol: '1000PEPE/USDT:USDT',
      fundingRate: -0.00012,
      interval: '4h',
      markPrice: 0.012,
      indexPrice: 0.0121,
    };
    const { quotes, rejects } = decodeFunding({ '1000PEPE/USDT:USDT': row }, context);
    expect(quotes).toEqual([
      {
        symbol: 'X',
        fundingRate: -0.00012,
        fundingIntervalHours: 4,
        markPrice: 0.000012,
        indexPrice: expect.closeTo(0.0000121, 12),
      },
    ]);
    expect(rejects).toEqual([]);
  });

  it('state no interval where ccxt has none: never eight hours', () => {
    for (const interval of [undefined, null]) {
      const { quotes, rejects } = decodeFunding(
        [{ symbol: SYMBOL, fundingRate: 0.0001, interval }],
        listing(),
      );
      expect(quotes[0]).not.toHaveProperty('fundingIntervalHours');
      expect(rejects).toEqual([]);
    }
  });

  it('of zero are data', () => {
    expect(read({ fundingRate: 0 })).toEqual({ symbol: 'BTCUSDT', fundingRate: 0 });
  });

  it('out of range, or unreadable: faults of their field', () => {
    const row = { symbol: SYMBOL, fundingRate: 12, interval: 'often', markPrice: 5 };
    const { quotes, rejects } = decodeFunding([row], listing());
    expect(quotes).toEqual([{ symbol: 'BTCUSDT', markPrice: 5 }]);
    expect(rejects.map(({ symbol, detail }) => [symbol, detail?.split(' ')[0]])).toEqual([
      ['BTCUSDT', expect.stringContaining('fundingRate')],
      ['BTCUSDT', expect.stringContaining('fundingIntervalHours')],
    ]);
  });

  it('of nothing are a reject', () => {
    const { quotes, rejects } = decodeFunding([{ symbol: SYMBOL }], listing());
    expect(quotes).toEqual([]);
    expect(rejects).toEqual([{ symbol: 'BTCUSDT', reason: 'missing_field', detail: 'no metric' }]);
  });

  it.each([
    ['spot', 'BTC/USDT'],
    ['inverse', 'BTC/USD:BTC'],
    ['dated', 'BTC/USDT:USDT-261225'],
    ['option', 'BTC/USDT:USDT-261225-100000-C'],
    ['not_listed', 'NEW/USDT:USDT'],
  ])('of what is not on the list are left out as %s: %s', (reason, symbol) => {
    const { quotes, rejects } = decodeFunding([{ symbol, fundingRate: 0.0001 }], listing());
    expect(quotes).toEqual([]);
    expect(rejects).toEqual([{ symbol, reason }]);
  });

  it('never throw, whatever comes', () => {
    const context = listing();
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (payload, field) => {
        decodeFunding(payload, context);
        const row = { symbol: SYMBOL, fundingRate: field, interval: field, fundingTimestamp: field };
        for (const quote of decodeFunding([row], context).quotes) {
          for (const value of Object.values(quote)) expect(value).not.toBeNaN();
        }
      }),
    );
  });
});

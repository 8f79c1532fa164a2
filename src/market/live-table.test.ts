import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asMs, asPrice } from '../domain/units.ts';
import { makeInstrument, makeMarket } from './market-fixture.ts';

describe('rows of the live table', () => {
  test('are the same when iterated one by one, each read when it is reached', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC', 'ETH', 'SOL']);
    for (const base of ['BTC', 'ETH', 'SOL']) fixture.quote('binance', { symbol: `${base}USDT`, mark: 100 });
    const { view } = fixture.market;
    expect([...view.eachRow()]).toEqual(view.rows());
    expect(view.size).toBe(3);
    const slow = view.eachRow()[Symbol.iterator]();
    expect(slow.next().value).toMatchObject({ ticker: 'BTC', markPrice: 100 });
    for (const base of ['BTC', 'ETH']) fixture.quote('binance', { symbol: `${base}USDT`, mark: 101 });
    fixture.list('binance', ['BTC', 'ETH']);
    expect([...{ [Symbol.iterator]: () => slow }]).toMatchObject([{ ticker: 'ETH', markPrice: 101 }]);
    expect(view.size).toBe(2);
  });

  test('merge fields of several payloads, each with its own time', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 100, rate: 0.0001, interval: 4 });
    const first = fixture.now();
    fixture.pass(2000);
    fixture.quote('binance', { symbol: 'BTCUSDT', interestBase: 50 });
    const row = fixture.market.view.row('binance', 'crypto:BTC');
    expect(row).toMatchObject({
      markPrice: 100,
      fundingRate: 0.0001,
      fundingIntervalHours: 4,
      openInterestBase: 50,
      openInterestUsd: 5000,
      updatedAt: first,
      fundingUpdatedAt: first,
      openInterestUpdatedAt: fixture.now(),
    });
    expect(row?.rate8h).toBeCloseTo(0.0002, 12);
  });

  test('the venue stamp: the time of a value, unless it lies ahead of us', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC', 'ETH']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 100, venueTime: fixture.now() - 700 });
    fixture.quote('binance', { symbol: 'ETHUSDT', mark: 10, venueTime: fixture.now() + 90_000 });
    expect(fixture.market.view.row('binance', 'crypto:BTC')?.updatedAt).toBe(fixture.now() - 700);
    expect(fixture.market.view.row('binance', 'crypto:ETH')?.updatedAt).toBe(fixture.now());
  });

  test('a late message does not replace a younger value, a clock set back does', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    const now = fixture.now();
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 100, venueTime: now });
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 90, venueTime: now - 1000 });
    expect(fixture.market.view.row('binance', 'crypto:BTC')?.markPrice).toBe(100);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 80, venueTime: now - 180_000 });
    expect(fixture.market.view.row('binance', 'crypto:BTC')?.markPrice).toBe(80);
  });

  test('a value of the last full minute: does not replace a later one', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 100 });
    fixture.quote('binance', {
      symbol: 'BTCUSDT',
      mark: 90,
      rate: 0.0001,
      venueTime: fixture.now() - 45_000,
    });
    const row = fixture.market.view.row('binance', 'crypto:BTC');
    expect(row).toMatchObject({ markPrice: 100, updatedAt: fixture.now(), fundingRate: 0.0001 });
    fixture.pass(60_000);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 95, venueTime: fixture.now() - 15_000 });
    expect(fixture.market.view.row('binance', 'crypto:BTC')?.markPrice).toBe(95);
  });

  test('a frame without a stamp on a late stream: taken, with its time', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    const proven = fixture.now();
    fixture.pass(15_000);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 100 });
    fixture.market.sink.quotes('binance', [{ symbol: 'BTCUSDT', markPrice: asPrice(101) }], proven);
    expect(fixture.market.view.row('binance', 'crypto:BTC')).toMatchObject({
      markPrice: 101,
      updatedAt: proven,
    });
  });

  test('base and USD figures: follow from each other by the mark', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 50, interestUsd: 500, volumeBase: 4 });
    expect(fixture.market.view.row('binance', 'crypto:BTC')).toMatchObject({
      openInterestBase: 10,
      openInterestUsd: 500,
      volume24hBase: 4,
      volume24hUsd: 200,
    });
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 100 });
    expect(fixture.market.view.row('binance', 'crypto:BTC')).toMatchObject({
      openInterestBase: 5,
      openInterestUsd: 500,
      volume24hUsd: 400,
    });
  });

  test('an unknown interval leaves the eight-hour rate unknown', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 50, rate: 0.0001 });
    const row = fixture.market.view.row('binance', 'crypto:BTC');
    expect(row?.fundingRate).toBe(0.0001);
    expect(row?.fundingIntervalHours).toBeUndefined();
    expect(row?.rate8h).toBeUndefined();
  });

  test('a crossed touch is not shown', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 50, bid: 49, ask: 51 });
    expect(fixture.market.view.row('binance', 'crypto:BTC')).toMatchObject({ bestBid: 49, bestAsk: 51 });
    fixture.quote('binance', { symbol: 'BTCUSDT', bid: 52 });
    const row = fixture.market.view.row('binance', 'crypto:BTC');
    expect([row?.bestBid, row?.bestAsk]).toEqual([undefined, undefined]);
  });

  test('come ordered by canonical id and source id', () => {
    const fixture = makeMarket();
    fixture.list('zeta', ['ETH', 'BTC'], { sourceId: 1 });
    fixture.list('alpha', ['BTC', 'ETH'], { sourceId: 2 });
    for (const venue of ['zeta', 'alpha']) {
      fixture.quote(venue, { symbol: 'BTCUSDT', mark: 1 }, { symbol: 'ETHUSDT', mark: 1 });
    }
    expect(fixture.market.view.rows().map((row) => [row.canonicalId, row.sourceId])).toEqual([
      ['crypto:BTC', 1],
      ['crypto:BTC', 2],
      ['crypto:ETH', 1],
      ['crypto:ETH', 2],
    ]);
  });
});

describe('versions of the live table', () => {
  test('the same array and rows while nothing changes, new ones after a change', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC', 'ETH']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1 }, { symbol: 'ETHUSDT', mark: 2 });
    const { version } = fixture.market.view;
    const before = fixture.market.view.rows();
    expect(fixture.market.view.rows()).toBe(before);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1 });
    expect(fixture.market.view.version).toBe(version);
    expect(fixture.market.view.rows()).toBe(before);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 3 });
    expect(fixture.market.view.version).toBeGreaterThan(version);
    const after = fixture.market.view.rows();
    expect(before[0]?.markPrice).toBe(1);
    expect(after[0]?.markPrice).toBe(3);
    expect(after[0]?.version).toBeGreaterThan(before[0]?.version ?? Number.POSITIVE_INFINITY);
    expect(after[1]).toBe(before[1]);
  });

  test('a value confirmed later: a change, since its time is shown', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1 });
    const before = fixture.market.view.row('binance', 'crypto:BTC');
    fixture.pass(500);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1 });
    const after = fixture.market.view.row('binance', 'crypto:BTC');
    expect(after?.updatedAt).toBe(fixture.now());
    expect(after?.version).not.toBe(before?.version);
  });

  test('row versions are unique and rise, whatever the order of patches', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.integer({ min: 1, max: 3 })), { maxLength: 40 }),
        (patches) => {
          const fixture = makeMarket();
          fixture.list('binance', ['A', 'B', 'C']);
          const last = new Map<string, number>();
          for (const [base, mark] of patches) {
            fixture.quote('binance', { symbol: `${base}USDT`, mark });
            const rows = fixture.market.view.rows();
            expect(new Set(rows.map((row) => row.version)).size).toBe(rows.length);
            for (const row of rows) {
              expect(row.version).toBeGreaterThanOrEqual(last.get(row.canonicalId) ?? 0);
              last.set(row.canonicalId, row.version);
            }
            expect(fixture.market.view.row('binance', `crypto:${base}`)?.markPrice).toBe(mark);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('contracts of the live table', () => {
  const both = [
    { symbol: 'BTCUSDT', base: 'BTC', ticker: 'BTC', quote: 'USDT' },
    { symbol: 'BTCUSDC', base: 'BTC', ticker: 'BTC', quote: 'USDC', settle: 'USDC' },
  ];

  test('the most traded contract of an asset is the row, the other is kept', () => {
    const fixture = makeMarket();
    fixture.list('binance', both);
    fixture.quote(
      'binance',
      { symbol: 'BTCUSDT', mark: 1, volumeUsd: 10 },
      { symbol: 'BTCUSDC', mark: 2, volumeUsd: 90 },
    );
    expect(fixture.market.view.rows().map((row) => row.symbol)).toEqual(['BTCUSDC']);
    fixture.pass(1000);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1, volumeUsd: 100 });
    fixture.pass(1000);
    expect(fixture.market.view.rows()[0]?.symbol).toBe('BTCUSDC');
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1, volumeUsd: 109 });
    fixture.pass(1000);
    expect(fixture.market.view.rows()[0]).toMatchObject({ symbol: 'BTCUSDT', markPrice: 1 });
  });

  test('two contracts of one asset in one quote: one row, two contracts', () => {
    const fixture = makeMarket();
    const oil = (base: string) => ({ base, ticker: 'OILWTI', assetClass: 'commodity' as const });
    fixture.list('bingx', [oil('NCCO1OILWTI2USD'), oil('NCCO7241OILWTI2USD')]);
    fixture.quote('bingx', { symbol: 'NCCO1OILWTI2USDUSDT', mark: 61, volumeUsd: 1e6 });
    fixture.quote('bingx', { symbol: 'NCCO7241OILWTI2USDUSDT', mark: 61.2, volumeUsd: 5e6 });
    fixture.pass(0);
    const { view } = fixture.market;
    expect(view.size).toBe(1);
    expect(view.row('bingx', 'commodity:WTI')).toMatchObject({ ticker: 'WTI', markPrice: 61.2 });
    expect(view.contractsOf('commodity:WTI').map(({ symbol, markPrice }) => [symbol, markPrice])).toEqual([
      ['NCCO1OILWTI2USDUSDT', 61],
      ['NCCO7241OILWTI2USDUSDT', 61.2],
    ]);
  });

  test('a delisted contract gives way to the other one at once', () => {
    const fixture = makeMarket();
    fixture.list('binance', both);
    fixture.quote(
      'binance',
      { symbol: 'BTCUSDT', mark: 1, volumeUsd: 90 },
      { symbol: 'BTCUSDC', mark: 2, volumeUsd: 10 },
    );
    expect(fixture.market.view.rows()[0]?.symbol).toBe('BTCUSDT');
    fixture.market.sink.instruments('binance', [makeInstrument(both[1])], fixture.now());
    expect(fixture.market.view.rows()).toMatchObject([{ symbol: 'BTCUSDC', markPrice: 2 }]);
  });

  test('delisting the last contract removes row, listing and names', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC', 'ETH']);
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1 }, { symbol: 'ETHUSDT', mark: 1 });
    fixture.market.sink.instruments('binance', [makeInstrument({ base: 'ETH' })], fixture.now());
    expect(fixture.market.view.rows().map((row) => row.ticker)).toEqual(['ETH']);
    expect(fixture.market.view.lists('binance', 'crypto:BTC')).toBe(false);
    expect(fixture.market.view.resolve('BTC')).toEqual({ kind: 'unknown' });
    fixture.quote('binance', { symbol: 'BTCUSDT', mark: 5 });
    expect(fixture.market.view.rows()).toHaveLength(1);
    expect(fixture.market.unlistedPatches()).toBe(1);
  });

  test('a contract relisted with another multiplier starts without values', () => {
    const fixture = makeMarket();
    fixture.list('binance', [{ base: '1000PEPE', ticker: 'PEPE', multiplier: 1000, symbol: 'PEPE' }]);
    fixture.quote('binance', { symbol: 'PEPE', mark: 1 });
    expect(fixture.market.view.row('binance', 'crypto:PEPE')?.multiplier).toBe(1000);
    fixture.list('binance', [{ base: 'PEPE', ticker: 'PEPE', multiplier: 1, symbol: 'PEPE' }]);
    expect(fixture.market.view.row('binance', 'crypto:PEPE')).toBeUndefined();
  });
});

describe('venues of the live table', () => {
  test('are summed up in the order of their numbers', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC', 'ETH'], { sourceId: 3 });
    fixture.list('hyperliquid', ['BTC'], { sourceId: 2 });
    fixture.quote(
      'binance',
      { symbol: 'BTCUSDT', mark: 1, interval: 8 },
      { symbol: 'ETHUSDT', rate: 0, interval: 4 },
    );
    expect(fixture.market.view.venues().map((venue) => venue.info.id)).toEqual(['hyperliquid', 'binance']);
    expect(fixture.market.view.venue('binance')).toMatchObject({
      sourceId: 3,
      trackedSymbols: 2,
      freshSymbols: 1,
      fundingIntervals: [4, 8],
    });
  });

  test('discovered ones get a number from 1000 up', () => {
    const fixture = makeMarket();
    fixture.discover('hyperliquid-xyz', ['NVDA']);
    expect(fixture.market.view.venue('hyperliquid-xyz')?.sourceId).toBe(1000);
  });
});

describe('row snapshots', () => {
  test('return the rows of a minute ago', () => {
    const fixture = makeMarket({ snapshotAssets: ['crypto:BTC'] });
    fixture.list('binance', ['BTC']);
    for (let mark = 1; mark <= 30; mark++) {
      fixture.quote('binance', { symbol: 'BTCUSDT', mark });
      fixture.pass(5000);
    }
    const rows = fixture.market.view.rowsAsOf('crypto:BTC', asMs(fixture.now() - 60_000));
    expect(rows?.[0]?.markPrice).toBe(18);
    expect(fixture.market.view.rowsAsOf('crypto:BTC', asMs(fixture.now() - 600_000))).toBeUndefined();
    expect(fixture.market.view.rowsAsOf('crypto:ETH', fixture.now())).toBeUndefined();
  });
});

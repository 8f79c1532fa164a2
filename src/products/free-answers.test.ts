import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asBps, asMs, asUsd } from '../domain/units.ts';
import { createDelayedTables } from '../market/delayed-table.ts';
import { makeMarket } from '../market/market-fixture.ts';
import { makeRow } from '../market/row-fixture.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import { made, makeTracked } from './asset-fixture.ts';
import type { Ports } from './define-product.ts';
import { widestPairs } from './free/worked-pair.ts';
import { freeMatrix } from './free-matrix.ts';
import { listedAssets, meantAssets } from './rows/asset-list.ts';

describe('tables of free answers', () => {
  it('any pace of sweeps: tables as old as the delay, hardly older', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60_000, max: 1_800_000 }),
        fc.array(fc.integer({ min: 200, max: 5000 }), { minLength: 400, maxLength: 800 }),
        (delayMs, steps) => {
          const tables = createDelayedTables(delayMs);
          let now = 1_000_000;
          for (const step of steps) {
            now += step;
            if (tables.due(asMs(now))) tables.record(asMs(now), []);
            const age = now - (tables.table(asMs(now))?.at ?? now);
            if (age === 0) expect(now - 1_000_000).toBeLessThan(delayMs * 1.2 + 10_000);
            else {
              expect(age).toBeGreaterThanOrEqual(delayMs);
              expect(age).toBeLessThanOrEqual(delayMs * 1.2 + 5000);
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('the first table: due a step after the first look, not at once', () => {
    const tables = createDelayedTables(60_000);
    expect([0, 11_999, 12_000].map((passed) => tables.due(asMs(1_000_000 + passed)))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('a clock set back: no table of the time to come', () => {
    const tables = createDelayedTables(60_000);
    tables.record(asMs(500_000), []);
    expect(tables.due(asMs(300_000))).toBe(false);
    expect(tables.due(asMs(312_000))).toBe(true);
    tables.record(asMs(312_000), []);
    expect(tables.table(asMs(377_000))?.at).toBe(312_000);
  });
});

describe('the free matrix', () => {
  const fixture = makeMarket();
  const quote = () => {
    for (const venue of ['binance', 'okx']) {
      fixture.quote(
        venue,
        { symbol: 'BTCUSDT', mark: 98_765.4, rate: 0.000123456, interval: 8, interestUsd: 123_456_789 },
        { symbol: 'XRPUSDT', mark: 2.12, rate: -0.00009, interval: 4, interestUsd: 1_000_000 },
      );
    }
    fixture.market.sweep();
  };
  for (const venue of ['binance', 'okx']) fixture.list(venue, ['BTC', 'XRP']);
  quote();
  // The first table is kept a fifth of the delay after the start.
  fixture.pass(3 * MINUTE_MS - 1);
  fixture.pass(1);
  quote();
  const ask = async (limit: number) => {
    const ports = { market: fixture.market.view, clock: { now: fixture.now } } as unknown as Ports;
    const answer = made(await made(freeMatrix.plan({ limit }, ports)).produce());
    if (!('write' in answer.content)) throw new Error('no text');
    return { ...answer, body: JSON.parse(answer.content.write()) };
  };

  it('nothing old enough: no assets and no moment', async () => {
    expect((await ask(5000)).body).toMatchObject({ assets: [], total: 0, as_of: null, delay_seconds: 900 });
  });

  it('rates of a quarter of an hour ago, rounded, largest assets first', async () => {
    const then = fixture.now();
    fixture.quote('okx', { symbol: 'BTCUSDT', mark: 98_765.4, rate: 0.5, interval: 8 });
    fixture.pass(15 * MINUTE_MS);
    const { body, asOf } = await ask(5000);
    expect(asOf).toBe(then);
    expect(body.as_of).toBe(new Date(then).toISOString());
    expect(body.assets.map(({ ticker }: { ticker: string }) => ticker)).toEqual(['BTC', 'XRP']);
    expect(body.assets[0].open_interest).toBe(246_900_000);
    expect(body.assets[0].cells).toMatchObject([
      { venue: 'binance', rate: 0.0001235, rate_8h: 0.0001235, funding_interval_hours: 8 },
      { venue: 'okx', rate: 0.0001235 },
    ]);
    expect((await ask(1)).body).toMatchObject({ total: 2, assets: [{ ticker: 'BTC' }] });
  });
});

describe('the worked pair', () => {
  const venues = { venue: () => makeTracked({ takerFeeBps: asBps(5) }) };
  const leg = (venue: string, rate: number, more = {}) => ({
    ...makeRow({ venue, rate, interval: 8 }),
    openInterestUsd: asUsd(9e6),
    ...more,
  });

  it('the widest spread of held contracts, with the fees of all trades', () => {
    const rows = [leg('a', 0.0001), leg('b', 0.0009), leg('c', 0.5, { openInterestUsd: asUsd(4e6) })];
    const [pair] = widestPairs(rows, venues);
    expect([pair?.long.venue, pair?.short.venue]).toEqual(['a', 'b']);
    expect(pair?.spreadBps).toBeCloseTo(8, 9);
    expect(pair?.feeBps).toBe(20);
  });

  it('rates that are old or not compared: no pair', () => {
    const rows = [leg('a', 0.0001), leg('b', 0.0009, { rateFresh: false })];
    expect(widestPairs(rows, venues)).toEqual([]);
    expect(widestPairs([leg('a', 0.1), leg('b', 0.9, { comparable: false })], venues)).toEqual([]);
  });
});

describe('the list of assets', () => {
  const fixture = makeMarket();
  const PEPE = { base: '1000PEPE', ticker: 'PEPE', multiplier: 1000 };
  fixture.list('binance', ['BTC', 'BCH', 'XAU', PEPE]);
  fixture.list('okx', ['BTC', 'PEPE']);
  // The price of an ounce tells which XAU it is.
  fixture.quote('binance', { symbol: 'XAUUSDT', mark: 4000 });
  fixture.market.sweep();
  const { view } = fixture.market;
  const assets = listedAssets(view);
  const meant = (typed: string) => meantAssets(view, assets, typed).map(({ ticker }) => ticker);

  it('each asset once, those on most venues first', () => {
    expect(assets[0]).toMatchObject({ ticker: 'BTC', names: ['bitcoin', 'xbt'], venues: ['binance', 'okx'] });
    expect(new Set(assets.map(({ canonicalId }) => canonicalId)).size).toBe(assets.length);
  });

  it.each([
    ['BTCUSDT', 'BTC'],
    ['btc-perp', 'BTC'],
    ['bitcoin', 'BTC'],
    ['1000PEPE', 'PEPE'],
    ['gold', 'XAU'],
    ['crypto:BCH', 'BCH'],
  ])('%s: means %s', (typed, ticker) => expect(meant(typed)[0]).toBe(ticker));

  it('the beginning of a name: all that begin so; nothing else', () => {
    expect(meant('bitc')).toEqual(['BTC', 'BCH']);
    expect(meant('zzz')).toEqual([]);
  });
});

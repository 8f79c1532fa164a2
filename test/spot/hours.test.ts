import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { asBase, asMs, asPrice, type UnixMs } from '../../src/domain/units.ts';
import { createRegistry } from '../../src/market/registry/lookup.ts';
import { HourSampler } from '../../src/modules/spot-history/hour-sampler.ts';
import { openHourStore } from '../../src/modules/spot-history/store/hour-store.ts';
import type { CandleHour, ObservedHour } from '../../src/modules/spot-history/store/spot-hour.ts';
import { SpotPast } from '../../src/modules/spot-history/store/spot-past.ts';
import { SpotTable } from '../../src/modules/spot-market/market/spot-table.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { exampleRow } from '../api/example-market.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const COIN = 'crypto:BTC';
const MARKET = { venue: 'okx', symbol: 'BTC-USDT', base: 'BTC', quote: 'USDT', ticker: 'BTC', multiplier: 1 };

const closing: SpotPast[] = [];
afterEach(async () => {
  for (const past of closing.splice(0)) await past.close();
});

const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'spot-hours-'));
const openPast = (folder = temporaryFolder()): SpotPast => {
  const past = new SpotPast(openHourStore(folder));
  closing.push(past);
  return past;
};

const seen = (start: number, more: Partial<ObservedHour> = {}): ObservedHour => ({
  origin: 'observed',
  start: asMs(start),
  lastAt: asMs(start + 59 * MINUTE_MS),
  last: asPrice(100),
  samples: 60,
  mean: 100,
  spreadBps: 2,
  bidUsd: 5000,
  askUsd: 4000,
  ...more,
});
const candle = (start: number, close: number): CandleHour => ({
  origin: 'candle',
  start: asMs(start),
  last: asPrice(close),
  open: asPrice(close + 1),
});
const kept = <Hour>(...hours: readonly Hour[]) => [{ market: MARKET, canonicalId: COIN, hours }];
const all = (past: SpotPast, from = NOON - 10 * DAY_MS, to = NOON + 10 * DAY_MS) =>
  past.pastOf('okx', COIN, asMs(from), asMs(to));

describe('stored hours of spot', () => {
  it('a day and over midnight: read as they were written', async () => {
    const folder = temporaryFolder();
    const first = openPast(folder);
    const hours = [
      seen(NOON),
      seen(NOON + HOUR_MS, { spreadBps: undefined, bidUsd: undefined, askUsd: undefined }),
    ];
    const later = seen(NOON + DAY_MS, { last: asPrice(101.5), mean: 101.5 * (1 + 25e-6) });
    first.addSeen(kept(...hours, later));
    first.addCandles(kept(candle(NOON - DAY_MS, 99)));
    await first.close();
    const [market, ...others] = all(openPast(folder));
    expect(others).toEqual([]);
    expect(market).toMatchObject({ symbol: 'BTC-USDT', quote: 'USDT', ticker: 'BTC' });
    expect([...(market?.hours.values() ?? [])]).toEqual([candle(NOON - DAY_MS, 99), ...hours, later]);
  });

  it('an hour of which nothing is known: not there, before and after others', () => {
    const past = openPast();
    past.addSeen(kept(seen(NOON), seen(NOON + 2 * HOUR_MS)));
    expect([...(all(past)[0]?.hours.keys() ?? [])]).toEqual([NOON, NOON + 2 * HOUR_MS]);
    expect(past.pastOf('okx', COIN, asMs(NOON + HOUR_MS), asMs(NOON + 2 * HOUR_MS))).toEqual([]);
    expect(past.pastOf('bybit', COIN, asMs(NOON), asMs(NOON + HOUR_MS))).toEqual([]);
  });

  it('two parts of an hour: one, with the mean of all samples', () => {
    const past = openPast();
    past.addSeen(kept(seen(NOON, { samples: 10, mean: 100 })));
    past.addSeen(kept(seen(NOON, { samples: 30, mean: 104, last: asPrice(105), spreadBps: 3 })));
    const [hour] = all(past)[0]?.hours.values() ?? [];
    expect(hour).toMatchObject({ samples: 40, last: 105, spreadBps: 3 });
    expect(hour?.origin === 'observed' && hour.mean).toBeCloseTo(103, 3);
  });

  it('a candle: never in the place of what was seen, and gives way to it', () => {
    const past = openPast();
    past.addSeen(kept(seen(NOON)));
    past.addCandles(kept(candle(NOON, 90), candle(NOON - HOUR_MS, 90)));
    past.addSeen(kept(seen(NOON - HOUR_MS, { samples: 1, mean: 100 })));
    expect([...(all(past)[0]?.hours.values() ?? [])].map(({ origin }) => origin)).toEqual([
      'observed',
      'observed',
    ]);
  });

  it('more than ninety days ago: dropped', () => {
    const past = openPast();
    past.addSeen(kept(seen(NOON), seen(NOON + 5 * DAY_MS)));
    past.dropOld(asMs(NOON + 92 * DAY_MS));
    expect([...(all(past)[0]?.hours.keys() ?? [])]).toEqual([NOON + 5 * DAY_MS]);
  });

  it('after the end of the module: nothing, and no fault', async () => {
    const past = openPast();
    past.addSeen(kept(seen(NOON)));
    await past.close();
    expect(all(past)).toEqual([]);
  });
});

describe('the sampler of spot', () => {
  /** A sampler over one market whose price and time the test sets; the index of the perpetuals is 100. */
  function sampling() {
    let now: UnixMs = asMs(NOON);
    const [row] = [exampleRow({ venue: 'okx', ticker: 'BTC', mark: 100, index: 100 })];
    const rowsOf = (id: string) => (id === COIN ? [row] : []);
    const perps = { rows: () => [row], rowsOf, identitiesOf: () => [COIN] };
    const spot = new SpotTable(createRegistry(), perps);
    const past = openPast();
    const sampler = new HourSampler({
      spot,
      market: perps,
      past,
      clock: { now: () => now },
      timer: () => () => {},
      logger: silentLogger,
    });
    const say = (price: number, at: number): void => {
      const touch = {
        bestBid: asPrice(price - 0.01),
        bestAsk: asPrice(price + 0.01),
        bestBidSize: asBase(3),
      };
      spot.takeList('okx', { markets: [MARKET] }, asMs(at));
      spot.takeTickers('okx', { tickers: [{ symbol: MARKET.symbol, ...touch }] }, asMs(at));
    };
    const sampleAt = async (at: number): Promise<void> => {
      now = asMs(at);
      await sampler.sample();
    };
    return { past, sampler, say, sampleAt };
  }

  it('samples of an hour: mean, last price, spread and sizes', async () => {
    const { past, sampler, say, sampleAt } = sampling();
    for (const [minute, price] of [
      [1, 100],
      [2, 101],
      [3, 102],
    ] as const) {
      say(price, NOON + minute * MINUTE_MS);
      await sampleAt(NOON + minute * MINUTE_MS);
    }
    await sampler.write();
    expect([...(all(past)[0]?.hours.values() ?? [])]).toMatchObject([
      { start: NOON, lastAt: NOON + 3 * MINUTE_MS, last: 102, samples: 3, bidUsd: 306, askUsd: undefined },
    ]);
    const [hour] = all(past)[0]?.hours.values() ?? [];
    expect(hour?.origin === 'observed' && hour.mean).toBeCloseTo(101, 3);
    expect(hour?.origin === 'observed' && hour.spreadBps).toBeCloseTo(1.96, 2);
  });

  it('written in the midst of an hour: goes on with it', async () => {
    const { past, sampler, say, sampleAt } = sampling();
    for (const [minute, price] of [
      [1, 100],
      [2, 102],
    ] as const) {
      say(price, NOON + minute * MINUTE_MS);
      await sampleAt(NOON + minute * MINUTE_MS);
      await sampler.write();
    }
    expect([...(all(past)[0]?.hours.values() ?? [])]).toMatchObject([{ samples: 2, last: 102 }]);
  });

  it('a price away from the perpetuals, or old: no sample, and a gap', async () => {
    const { past, sampler, say, sampleAt } = sampling();
    say(100, NOON);
    await sampleAt(NOON);
    say(104, NOON + HOUR_MS);
    await sampleAt(NOON + HOUR_MS);
    say(100, NOON + 2 * HOUR_MS);
    await sampleAt(NOON + 2 * HOUR_MS + 61_000);
    await sampler.write();
    expect([...(all(past)[0]?.hours.keys() ?? [])]).toEqual([NOON]);
    expect(sampler.counts).toEqual({ samples: 1, failures: 0 });
  });
});

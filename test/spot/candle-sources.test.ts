import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import { PRIORITY } from '../../src/collect/priority.ts';
import type { SeriesBucket } from '../../src/domain/series.ts';
import { asMs, asPrice, asUsd } from '../../src/domain/units.ts';
import type { Scope } from '../../src/history/queries/scope.ts';
import { stored } from '../../src/history/store.ts';
import { createRegistry } from '../../src/market/registry/lookup.ts';
import { CANDLE_PLANS } from '../../src/modules/spot-history/candles/candle-plans.ts';
import { offeredMarkets } from '../../src/modules/spot-history/candles/offered-markets.ts';
import { perpPrices } from '../../src/modules/spot-history/candles/perp-prices.ts';
import type { BorrowTable } from '../../src/modules/spot-market/borrow/borrow-table.ts';
import { SpotTable } from '../../src/modules/spot-market/market/spot-table.ts';
import { SpotCollector } from '../../src/modules/spot-market/spot-collector.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { exampleRow } from '../api/example-market.ts';
import { candleAnswers } from './answers/candles.ts';
import { SIMULATED } from './simulated-spot.ts';

const NOON = asMs(Date.UTC(2026, 10, 20, 12));

/** Perpetuals of some coins at OKX, at a price of 100, by their volume. */
function perps(volumes: Readonly<Record<string, number>>) {
  const rows = Object.entries(volumes).map(([ticker, volume]) => ({
    ...exampleRow({ venue: 'okx', ticker, mark: 100, index: 100 }),
    volume24hUsd: asUsd(volume),
  }));
  const rowsOf = (id: string) => rows.filter(({ canonicalId }) => canonicalId === id);
  return { rows: () => rows, rowsOf, identitiesOf: (name: string) => [`crypto:${name}`] };
}

describe('the markets that are asked for candles', () => {
  it('priority assets first, then the most traded, at the price alone', async () => {
    const market = perps({ BTC: 10, ETH: 5, LTC: 30, XRP: 20 });
    const spot = new SpotTable(createRegistry(), market);
    const markets = Object.entries({ BTC: 100, ETH: 100, LTC: 100, XRP: 300 }).map(([ticker, price]) => ({
      price,
      market: { venue: 'okx', symbol: `${ticker}-USDT`, base: ticker, quote: 'USDT', ticker, multiplier: 1 },
    }));
    spot.takeList('okx', { markets: markets.map((known) => known.market) }, NOON);
    const tickers = markets.map(({ market: { symbol }, price }) => ({
      symbol,
      bestBid: asPrice(price - 0.01),
      bestAsk: asPrice(price + 0.01),
    }));
    spot.takeTickers('okx', { tickers }, NOON);
    const sides = { spot, market, priorityAssets: ['crypto:ETH', 'crypto:BTC'] };
    const found = await offeredMarkets(sides, 'okx');
    expect(found.map(({ canonicalId }) => canonicalId)).toEqual(['crypto:ETH', 'crypto:BTC', 'crypto:LTC']);
    expect(await offeredMarkets(sides, 'gate')).toEqual([]);
  });
});

describe('the prices that candles are held against', () => {
  const rows = ['a', 'b', 'c', 'd'].map((venue, i) => ({
    ...exampleRow({ venue, ticker: 'BTC', mark: 100, index: 100 }),
    volume24hUsd: asUsd(10 - i),
  }));
  const bucket = (venue: string, start: number, mark: number | undefined) =>
    ({ venue, start, means: mark === undefined ? {} : { mark: { samples: 1, mean: mark } } }) as SeriesBucket;

  it('the median of the three most traded perpetuals, by hour', async () => {
    const asked: Scope[] = [];
    const buckets = async (scope: Scope) => {
      asked.push(scope);
      const first = [bucket('a', NOON, 100), bucket('b', NOON, 102), bucket('c', NOON, 900)];
      return stored([...first, bucket('a', NOON + HOUR_MS, undefined)]);
    };
    const read = perpPrices({ buckets }, { rowsOf: () => rows });
    expect(await read('crypto:BTC', NOON, asMs(NOON + 2 * HOUR_MS))).toEqual(new Map([[NOON, 102]]));
    expect(asked).toMatchObject([{ venues: ['a', 'b', 'c'] }]);
  });

  it('a history that cannot be read: not known; no perpetual: none', async () => {
    const fault = { kind: 'unavailable', message: 'away' } as const;
    const buckets = async () => ({ ok: false as const, fault });
    expect(await perpPrices({ buckets }, { rowsOf: () => rows })('x', NOON, NOON)).toBeUndefined();
    expect(await perpPrices({ buckets }, { rowsOf: () => [] })('x', NOON, NOON)).toEqual(new Map());
  });
});

describe('a further call of the spot side', () => {
  const okx = candleAnswers.find(({ venue }) => venue === 'okx');
  const call = CANDLE_PLANS.find(({ venue }) => venue === 'okx')?.of('BTC-USDT', NOON, NOON + HOUR_MS);

  function collector(isHeld = false) {
    const priorities: (number | undefined)[] = [];
    const made = new SpotCollector({
      plans: SIMULATED,
      ask: {
        ask: async (_plan, _call, _signal, priority) => {
          priorities.push(priority);
          return { ok: true as const, value: { payload: okx?.payload, receivedAt: NOON } };
        },
        close: async () => {},
      },
      spot: new SpotTable(createRegistry(), perps({ BTC: 1 })),
      borrow: {} as BorrowTable,
      clock: { now: () => NOON },
      timer: () => () => {},
      random: () => 0.5,
      logger: silentLogger,
      isHeld: () => isHeld,
    });
    return { made, priorities };
  }
  if (call === undefined) throw new Error('okx has no call for candles');

  it('asked after all that is collected, and read', async () => {
    const { made, priorities } = collector();
    const read = await made.read('okx', call, new AbortController().signal);
    expect(read?.candles).toHaveLength(2);
    expect(priorities).toEqual([PRIORITY.backfill]);
    expect([...(made.counts.get('okx')?.answers ?? [])]).toEqual([['/api/v5/market/history-candles', 1]]);
  });

  it('an unknown venue, an ended reader, or a busy process: not asked', async () => {
    const { made, priorities } = collector();
    expect(await made.read('nowhere', call, new AbortController().signal)).toBeUndefined();
    expect(await made.read('okx', call, AbortSignal.abort())).toBeUndefined();
    const held = collector(true);
    expect(await held.made.read('okx', call, new AbortController().signal)).toBeUndefined();
    expect([...priorities, ...held.priorities]).toEqual([]);
  });
});

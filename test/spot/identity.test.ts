import { PLANTED_TOKEN } from '@perpmeter/sim/spot/spot-pair';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { median } from '../../src/domain/median.ts';
import { asMs, asPrice } from '../../src/domain/units.ts';
import { dispersionLimit } from '../../src/market/comparable.ts';
import { createRegistry } from '../../src/market/registry/lookup.ts';
import { FIXTURE_NOW, makeRow } from '../../src/market/row-fixture.ts';
import type { MarketRow } from '../../src/market/view.ts';
import type { SpotMarket } from '../../src/modules/spot/spot-rows.ts';
import {
  assetOfSpot,
  type PerpTable,
  standingAt,
} from '../../src/modules/spot-market/market/spot-identity.ts';
import { midOf, priceOf } from '../../src/modules/spot-market/market/spot-price.ts';
import { SpotTable } from '../../src/modules/spot-market/market/spot-table.ts';
import { createWorldMarket, WORLD_AT, type WorldMarket } from '../world/world-market.ts';
import { readSimulated, SIMULATED } from './simulated-spot.ts';

const REGISTRY = createRegistry();
/** Base limit of coins. */
const BASE_LIMIT = 0.03;

let source: WorldMarket;
let spot: SpotTable;
beforeAll(() => {
  source = createWorldMarket();
  spot = new SpotTable(REGISTRY, source.market.view);
  for (const plan of SIMULATED) {
    const { list, tickers } = readSimulated(plan, source.world, WORLD_AT);
    spot.takeList(plan.venue, list, WORLD_AT);
    spot.takeTickers(plan.venue, tickers, WORLD_AT);
  }
});

const market = (ticker: string, more: Partial<SpotMarket> = {}): SpotMarket => ({
  venue: 'binance',
  symbol: `${ticker}USDT`,
  base: ticker,
  quote: 'USDT',
  ticker,
  multiplier: 1,
  ...more,
});

/** Indexes of the comparable perpetuals of an asset. */
const indexesOf = (canonicalId: string): readonly number[] =>
  source.market.view
    .rowsOf(canonicalId)
    .flatMap(({ comparable, indexPrice }) => (comparable && indexPrice !== undefined ? [indexPrice] : []));

const assetOf = (given: SpotMarket, price: number) =>
  assetOfSpot(REGISTRY, source.market.view, given, asPrice(price));

describe('the asset of a spot market', () => {
  it('every row that is offered: at the index, within the limit', () => {
    const ids = [...new Set(source.market.view.rows().map(({ canonicalId }) => canonicalId))];
    const rows = ids.flatMap((id) => spot.rowsOf(id, source.market.view).map((row) => ({ id, row })));
    expect(rows.length).toBeGreaterThan(800);
    for (const { id, row } of rows) {
      const indexes = indexesOf(id);
      const middle = median(indexes);
      const off = Math.abs((priceOf(row.ticker) ?? 0) - middle) / middle;
      expect(off, `${row.market.venue} ${row.market.symbol}`).toBeLessThanOrEqual(
        dispersionLimit(indexes, middle, BASE_LIMIT),
      );
    }
  });

  it('any price: offered if it is within the limit, and only then', () => {
    const indexes = indexesOf('crypto:ETH');
    const middle = median(indexes);
    const limit = dispersionLimit(indexes, middle, BASE_LIMIT);
    fc.assert(
      fc.property(fc.double({ min: -0.9, max: 9, noNaN: true }), (off) => {
        fc.pre(Math.abs(Math.abs(off) - limit) > 1e-9);
        const is = standingAt(source.market.view, 'crypto:ETH')(asPrice(middle * (1 + off)), 1);
        expect(is).toBe(Math.abs(off) <= limit ? 'near' : 'apart');
      }),
    );
  });

  it.each<[string, Partial<SpotMarket>]>([
    ['another quote', { quote: 'TRY' }],
    ['another coin', { base: 'WBTC', ticker: 'WBTC' }],
    ['another name', { ticker: 'DOGE' }],
  ])('%s under the same symbol: decided at the next tickers', (_, more) => {
    const view = source.market.view;
    const table = new SpotTable(REGISTRY, view);
    const price = asPrice(median(indexesOf('crypto:BTC')));
    const hear = (at: number) =>
      table.takeTickers(
        'binance',
        { tickers: [{ symbol: 'BTCUSDT', bestBid: price, bestAsk: price }] },
        asMs(at),
      );
    table.takeList('binance', { markets: [market('BTC')] }, WORLD_AT);
    hear(WORLD_AT);
    expect(table.rowsOf('crypto:BTC', view)).toHaveLength(1);
    table.takeList('binance', { markets: [market('BTC', more)] }, WORLD_AT);
    hear(WORLD_AT + 10_000);
    expect(table.rowsOf('crypto:BTC', view)).toEqual([]);
  });

  it('no perpetual of this time: not told, and a market stays what it was', () => {
    const view = source.market.view;
    const identitiesOf = (ticker: string) => view.identitiesOf(ticker);
    const staleOf = (id: string) => view.rowsOf(id).map((row) => ({ ...row, fresh: false }));
    const old: PerpTable = { rowsOf: staleOf, identitiesOf };
    const price = asPrice(median(indexesOf('crypto:BTC')));
    expect(standingAt(old, 'crypto:BTC')(price, 1)).toBe('unknown');
    expect(assetOfSpot(REGISTRY, old, market('BTC'), price)).toBe('no_index');
    let perps: PerpTable = view;
    const table = new SpotTable(REGISTRY, { rowsOf: (id) => perps.rowsOf(id), identitiesOf });
    table.takeList('binance', { markets: [market('BTC')] }, WORLD_AT);
    const hear = (at: number): void => {
      const ticker = { symbol: 'BTCUSDT', bestBid: price, bestAsk: price };
      table.takeTickers('binance', { tickers: [ticker] }, asMs(at));
    };
    hear(WORLD_AT);
    perps = old;
    hear(WORLD_AT + 60_000);
    const told = table.leftOut('crypto:BTC', old, asMs(WORLD_AT));
    expect(told).toEqual({ apart: 0, untold: 1, old: 0 });
    expect(table.rowsOf('crypto:BTC', old)).toEqual([]);
    expect(table.rowsOf('crypto:BTC', view)).toHaveLength(1);
  });

  it('indexes of minutes before: those of now count, else marks', () => {
    const at = (index: number, lagMs: number, mark = index) => ({
      ...makeRow({ index, mark }),
      indexUpdatedAt: asMs(FIXTURE_NOW - 1000 - lagMs),
    });
    const told = (rows: readonly MarketRow[], price: number) => {
      const table = { rowsOf: () => rows, identitiesOf: () => [] };
      return standingAt(table, 'crypto:BTC')(asPrice(price), 1);
    };
    const before = at(100, 5 * 60_000, 110);
    expect([told([before], 110), told([before], 100)]).toEqual(['near', 'apart']);
    expect(told([before, at(90, 0)], 90)).toBe('near');
    expect(told([at(100, 60_000, 110)], 100)).toBe('near');
  });

  it("another token of a coin's name: left out and counted", () => {
    const { venue, ticker } = PLANTED_TOKEN;
    const offered = spot.rowsOf(`crypto:${ticker}`, source.market.view);
    expect(offered.length).toBeGreaterThan(3);
    expect(offered.map((row) => row.market.venue)).not.toContain(venue);
    const state = spot.venues().find((known) => known.venue === venue);
    expect(state?.refused.get('price_differs')).toBe(1);
    expect(state?.offered).toBe((state?.listed ?? 0) - 1);
  });

  it('a coin without a perpetual, and a share by name: none', () => {
    expect(assetOf(market('NOSUCHCOIN'), 1)).toBe('no_perpetual');
    const tesla = source.market.view.rowsOf('equity:TSLA')[0]?.indexPrice ?? 0;
    expect(assetOf(market('TSLA'), tesla)).not.toHaveProperty('canonicalId');
    expect(assetOfSpot(REGISTRY, source.market.view, market('BTC'), undefined)).toBe('no_price');
  });

  it('own names, blocks and small letters: the asset of the perpetuals', () => {
    const found = (venue: string, base: string) => {
      const ids = source.market.view.rows().map(({ canonicalId }) => canonicalId);
      const rows = [...new Set(ids)].flatMap((id) =>
        spot.rowsOf(id, source.market.view).map((row) => ({ id, row })),
      );
      return rows.filter(({ row }) => row.market.venue === venue && row.market.base === base);
    };
    for (const [venue, base, id] of [
      ['kraken', 'XBT', 'crypto:BTC'],
      ['kraken', 'XDG', 'crypto:DOGE'],
      ['bitget', 'TONCOIN', 'crypto:GRAM'],
      ['bingx', 'TRUMPSOL', 'crypto:TRUMP'],
      ['htx', 'btc', 'crypto:BTC'],
      ['hyperliquid', 'UBTC', 'crypto:BTC'],
    ] as const)
      expect(
        found(venue, base).map((row) => row.id),
        `${venue} ${base}`,
      ).toEqual([id]);
    expect(found('hyperliquid', 'UBTC')[0]?.row.market.relation).toBe('wrapped');
  });

  it('a pair in another currency than dollars: not kept', () => {
    const table = new SpotTable(REGISTRY, source.market.view);
    const price = asPrice(indexesOf('crypto:BTC')[0] ?? 0);
    const pairs = [market('BTC'), market('BTC', { symbol: 'BTCEUR', quote: 'EUR' })];
    table.takeList('binance', { markets: pairs }, WORLD_AT);
    const tickers = pairs.map(({ symbol }) => ({ symbol, bestBid: price, bestAsk: price }));
    table.takeTickers('binance', { tickers }, WORLD_AT);
    const rows = table.rowsOf('crypto:BTC', source.market.view);
    expect(rows.map((row) => row.market.symbol)).toEqual(['BTCUSDT']);
  });

  it('sides more than 5 % apart, or one side: no price', () => {
    const ticker = { symbol: 'BTCUSDT', bestBid: asPrice(95), lastPrice: asPrice(100) };
    expect(midOf({ ...ticker, bestAsk: asPrice(101) })).toBeUndefined();
    expect(priceOf(ticker)).toBeUndefined();
    expect(priceOf({ ...ticker, bestAsk: asPrice(97) })).toBe(96);
    expect(priceOf({ symbol: 'BTCUSDT', lastPrice: asPrice(100) })).toBe(100);
  });
});

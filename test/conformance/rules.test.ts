import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWire, type Wire } from '../../src/domain/read.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { createExampleApi, type ExampleApi } from '../api/example-api.ts';
import { EXAMPLE_VENUES, exampleRow } from '../api/example-market.ts';
import { createFakeMarket } from '../api/fake-market.ts';
import { getRaw, json } from '../api/raw-http.ts';
import { PAID } from './contract.ts';

/** Rows for which every documented rule can be computed by hand. */
const ROWS = [
  exampleRow({
    venue: 'binance',
    ticker: 'BTC',
    rate: 0.0001,
    hours: 8,
    mark: 100,
    index: 99.5,
    volume: 1e9,
  }),
  exampleRow({
    venue: 'bybit',
    ticker: 'BTC',
    rate: 0.0003,
    hours: 4,
    mark: 100.5,
    index: 100.5,
    volume: 1e9,
  }),
  exampleRow({ venue: 'okx', ticker: 'BTC', rate: -0.0002, mark: 99.5, index: 100, volume: 1e9 }),
  exampleRow({
    venue: 'hyperliquid',
    ticker: 'BTC',
    rate: 0.00001,
    hours: 1,
    mark: 100,
    index: 100,
    volume: 1e9,
  }),
  exampleRow({ venue: 'lighter', ticker: 'BTC', rate: 0, hours: 1, mark: 100, volume: 1e9 }),
  exampleRow({ venue: 'binance', ticker: 'ETH', rate: 0.0002, hours: 8, mark: 10, volume: 1e9 }),
  exampleRow({ venue: 'bybit', ticker: 'ETH', rate: 0.0001, hours: 8, mark: 10, volume: 1e9 }),
];

let example: ExampleApi;
let base = '';
beforeAll(async () => {
  example = createExampleApi({ mode: 'off', market: createFakeMarket(EXAMPLE_VENUES, ROWS) });
  base = await example.start();
});
afterAll(() => example.api.close());

async function ask(path: string): Promise<Wire> {
  const response = await getRaw(base, path);
  expect(response.status, path).toBe(200);
  const body = json(response);
  return isWire(body) ? body : {};
}

const listOf = (body: Wire, field: string): readonly Wire[] => {
  const list = body[field];
  return Array.isArray(list) ? list.filter(isWire) : [];
};
const ofVenue = (list: readonly Wire[], venue: string): Wire => list.find((row) => row.venue === venue) ?? {};

describe('the rules of the interface, computed by hand', () => {
  it('a rate: scaled to eight hours by its interval, else unknown', async () => {
    const rates = listOf(await ask('/v1/funding/current?symbol=BTC'), 'rates');
    expect(ofVenue(rates, 'binance').rate_8h).toBeCloseTo(0.0001, 12);
    expect(ofVenue(rates, 'bybit').rate_8h).toBeCloseTo(0.0006, 12);
    expect(ofVenue(rates, 'hyperliquid').rate_8h).toBeCloseTo(0.00008, 12);
    expect(ofVenue(rates, 'okx')).toMatchObject({
      rate: -0.0002,
      rate_8h: null,
      funding_interval_hours: null,
    });
  });

  it('the spread: raw rates; normalized: null without a schedule', async () => {
    const { spread } = await ask('/v1/perp/funding-spread?ticker=BTC');
    expect(spread).toMatchObject({
      long_venue: 'okx',
      short_venue: 'bybit',
      long_interval_hours: null,
      normalized_spread_8h_bps: null,
      apr_spread_pct: null,
    });
    // (0.0003 + 0.0002) x 10000
    expect(isWire(spread) ? spread.spread_bps : undefined).toBeCloseTo(5, 9);
    const known = (await ask('/v1/perp/funding-spread?ticker=ETH')).spread;
    expect(isWire(known) ? known.normalized_spread_8h_bps : undefined).toBeCloseTo(1, 9);
    expect(isWire(known) ? known.apr_spread_pct : undefined).toBeCloseTo(10.95, 9);
  });

  it('carry: rate x (24 / interval) x 365 x 100; structure: its sign', async () => {
    const items = listOf(await ask('/v1/perp/carry?ticker=BTC'), 'items');
    expect(ofVenue(items, 'binance').annualized_carry_pct).toBeCloseTo(10.95, 9);
    expect(ofVenue(items, 'bybit').annualized_carry_pct).toBeCloseTo(65.7, 9);
    expect(ofVenue(items, 'okx')).toMatchObject({ annualized_carry_pct: null, structure: 'backwardation' });
    expect(ofVenue(items, 'lighter')).toMatchObject({ annualized_carry_pct: 0, structure: 'flat' });
  });

  it('basis is (mark - index) / index x 10000, and its structure its sign', async () => {
    const body = await ask('/v1/perp/basis?ticker=BTC');
    const items = listOf(body, 'items');
    // Stated to four places: 0.5 / 99.5 x 10000 is 50.25125 and more.
    expect(ofVenue(items, 'binance').basis_bps).toBe(50.2513);
    expect(ofVenue(items, 'binance').structure).toBe('contango');
    expect(ofVenue(items, 'okx').basis_bps).toBeCloseTo(-50, 9);
    expect(ofVenue(items, 'okx').structure).toBe('backwardation');
    expect(ofVenue(items, 'bybit')).toMatchObject({ basis_bps: 0, structure: 'flat', basis_reliable: true });
    expect(ofVenue(items, 'lighter')).toMatchObject({
      index_price: null,
      basis_bps: null,
      structure: 'unknown',
      basis_reliable: false,
    });
    expect(body.venues_without_index).toEqual(['lighter']);
  });

  it('scans apply their threshold strictly', async () => {
    const at = listOf(await ask('/v1/perp/arbitrage/funding?min_diff=0.0001'), 'opportunities');
    // ETH differs by 0.0001 give or take the last digit of a float; BTC by five times that.
    expect(at.map((row) => row.ticker)).toContain('BTC');
    const above = listOf(await ask('/v1/perp/arbitrage/funding?min_diff=0.00049'), 'opportunities');
    expect(above.map((row) => row.ticker)).toEqual(['BTC']);
    const none = await ask('/v1/perp/arbitrage/funding?min_diff=0.001');
    expect(none).toMatchObject({ count: 0, opportunities: [], min_diff: 0.001 });
    const prices = listOf(await ask('/v1/perp/arbitrage/price?min_diff_bps=10'), 'opportunities');
    expect(prices).toHaveLength(1);
    expect(prices[0]).toMatchObject({ ticker: 'BTC', max_price: 100.5, min_price: 99.5, mid_price: 100 });
    expect(prices[0]?.spread_bps).toBeCloseTo(100, 9);
  });
});

describe('every paid path of the contract', () => {
  it('is served', () => {
    const built = new Set(ROUTES.map(({ path }) => path));
    expect(PAID.filter(({ path }) => !built.has(path))).toEqual([]);
  });
});

/** Plain facts: a venue's own values, nothing computed over them. */
const VENUE_VALUES = new Set([
  '/v1/funding/current',
  '/v1/perp/funding-next',
  '/v1/perp/open-interest',
  '/v1/perp/volume-24h',
  '/v1/orderbook/{venue}/{symbol}/top',
]);

describe('computed answers', () => {
  let sample: ExampleApi;
  let at = '';
  beforeAll(async () => {
    sample = createExampleApi({ mode: 'off' });
    at = await sample.start();
  });
  afterAll(() => sample.api.close());

  const computed = ROUTES.filter(({ access, path }) => access === 'paid' && !VENUE_VALUES.has(path));

  it.each(computed)(
    '$path states what it leaves out, and that it is no forecast',
    async ({ example: shown }) => {
      const body = json(await getRaw(at, shown?.request ?? ''));
      const wire = isWire(body) ? body : {};
      const metadata = isWire(wire.metadata) ? wire.metadata : {};
      const words = [wire.naive_note, wire.note, wire.methodology, metadata.methodology].join(' ');
      expect(words).toMatch(/before|excluded|leaves? out|left out|no account of|Raw rates/i);
      expect(words).toMatch(/naive baseline|not a profit forecast|no forecast/i);
    },
  );
});

import { Client } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBookStore } from '../../src/market/books/book-store.ts';
import { createExampleApi } from '../api/example-api.ts';
import { examplePorts } from '../api/example-ports.ts';
import { PROPERTY_RUNS } from '../property-runs.ts';
import { fillBooks } from '../world/world-books.ts';
import { createWorldMarket, WORLD_AT } from '../world/world-market.ts';
import { type Figures, type Json, type Parts, recompute } from './recompute.ts';
import { expectedSpot, statedWorth } from './spot-basis.ts';
import { borrowedAt, spotWorld } from './spot-world.ts';

/** One of so many assets is asked for; a longer run asks for each. */
const EVERY = PROPERTY_RUNS.times > 1 ? 1 : 12;
const DAYS = 5;
/** Answers have ten significant digits and bps four places. */
const NEAR = 5e-3;

let client: Client;
let close: () => Promise<void>;
let assets: readonly string[] = [];
/** All that the world has, with spot or without; some of them, as of the others. */
let ids: readonly string[] = [];

beforeAll(async () => {
  const source = createWorldMarket();
  const books = createBookStore({ clock: source.clock });
  fillBooks(books, source);
  const { view } = source.market;
  const spot = spotWorld(source.world, view, WORLD_AT);
  const { api, start } = createExampleApi({
    mode: 'off',
    market: view,
    clock: source.clock,
    books: books.view,
    readPort: examplePorts({ spot }),
  });
  client = new Client(await start());
  close = () => api.close();
  const all = [...new Set(view.rows().map(({ canonicalId }) => canonicalId))];
  ids = all.filter((_, i) => EVERY === 1 || i % 4 === 0);
  assets = all.filter((id) => spot.spot.rowsOf(id, view).length > 0).filter((_, i) => i % EVERY === 0);
});

afterAll(async () => {
  await client.close();
  await close();
});

async function get(
  path: string,
  query: Readonly<Record<string, string | number>>,
): Promise<{ status: number; body: Json; sources: readonly string[]; asOf: number }> {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const { statusCode, headers, body } = await client.request({ method: 'GET', path: `${path}?${search}` });
  const [used = ''] = String(headers['x-data-sources']).split(';');
  const asOf = Date.parse(String(headers['x-data-as-of']));
  return { status: statusCode, body: (await body.json()) as Json, sources: used.split(','), asOf };
}

const listOf = (answer: Json, field: string): readonly Json[] => answer[field] as readonly Json[];

async function partsOf(ticker: string, usd: number): Promise<Parts> {
  const at = { ticker, notional_usd: usd };
  const part = async (path: string, query: Readonly<Record<string, string | number>>) => {
    const { status, body } = await get(path, query);
    return status === 200 ? body : undefined;
  };
  const slippage = '/v1/orderbook/multi-venue-slippage';
  const needed = async (path: string, query: Readonly<Record<string, string | number>>): Promise<Json> => {
    const { status, body } = await get(path, query);
    expect([path, status, body.detail]).toEqual([path, 200, undefined]);
    return body;
  };
  return {
    current: await needed('/v1/spot/current', { ticker }),
    depth: await needed('/v1/spot/depth', at),
    borrow: await part('/v1/spot/borrow', { ticker }),
    funding: await needed('/v1/funding/current', { symbol: ticker, limit: 100 }),
    snapshot: await needed('/v1/perp/snapshot', { ticker }),
    selling: await part(slippage, { ...at, side: 'sell' }),
    buying: await part(slippage, { ...at, side: 'buy' }),
  };
}

/** Worth of both quotes in one currency: as the pair states it, which is what the rates say where they name both. */
function worthOf(answer: Json, { spot_quote: spot, perp_quote: perp, gap }: Json) {
  const { unit, rates } = answer.quote_rates as { unit: string; rates: readonly Json[] };
  const of = (quote: unknown): number =>
    quote === unit ? 1 : Number(rates.find((rate) => rate.quote === quote)?.rate);
  const { quote_rate: said } = gap as Json;
  if (said === null) return undefined;
  const stated = Number(said);
  const rate = spot === perp ? 1 : of(perp) / of(spot);
  if (!Number.isNaN(rate)) expect(stated).toBeCloseTo(rate, 7);
  return { spot: 1, perp: stated };
}

const shownOf = (pair: Json): Figures => {
  const known = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  return {
    largest: known(pair.max_notional_usd),
    gap: known((pair.gap as Json).executable_bps),
    fees: known(pair.round_trip_fee_bps),
    slippage: known(pair.entry_slippage_bps),
    allIn: known(pair.all_in_cost_bps),
    income: known(pair.income_8h_bps),
    days: known(pair.days_to_breakeven),
    apr: known(pair.all_in_net_apr_pct),
  };
};

/** Figures that differ; days and percent are compared relative to their size. */
function differences(shown: Figures, expected: Figures): readonly string[] {
  return (Object.keys(expected) as (keyof Figures)[]).flatMap((name) => {
    const a = shown[name];
    const b = expected[name];
    if (a === undefined && b === undefined) return [];
    const isNear = a !== undefined && b !== undefined && Math.abs(a - b) <= NEAR * Math.max(1, Math.abs(b));
    return isNear ? [] : [`${name}: ${a}, not ${b}`];
  });
}

describe('cash and carry over the simulated world', () => {
  it.each([1000, 7500])('at %d USD: as its parts say', async (usd) => {
    expect(assets.length).toBeGreaterThan(5);
    const found: string[] = [];
    let compared = 0;
    let priced = 0;
    let limited = 0;
    for (const id of assets) {
      const query = { ticker: id, notional_usd: usd, holding_days: DAYS, limit: 100 };
      const { status, body } = await get('/v1/perp/cash-carry', query);
      expect([id, status]).toEqual([id, 200]);
      const parts = await partsOf(id, usd);
      for (const pair of listOf(body, 'pairs')) {
        const expected = recompute(parts, pair, worthOf(body, pair), usd, DAYS);
        const shown = shownOf(pair);
        compared += 1;
        if (expected.apr !== undefined) priced += 1;
        if ((pair.null_reasons as Json | undefined)?.all_in_cost_bps === 'beyond_borrow_limit') limited += 1;
        const name = `${id} ${pair.direction} ${pair.spot_venue} ${pair.perp_venue}`;
        for (const difference of differences(shown, expected)) found.push(`${name} ${difference}`);
      }
    }
    expect(found.slice(0, 20)).toEqual([]);
    expect(compared).toBeGreaterThan(200);
    expect(priced).toBeGreaterThan(50);
    expect(limited).toBeGreaterThan(2);
  });

  it('a pair: within 3 % of the index, each null with a reason', async () => {
    for (const id of assets) {
      const { body } = await get('/v1/perp/cash-carry', { ticker: id, limit: 100 });
      for (const pair of listOf(body, 'pairs')) {
        expect(Math.abs(Number(pair.index_difference_bps))).toBeLessThanOrEqual(300);
        expect(pair.price_warning).toBe(Math.abs(Number(pair.index_difference_bps)) > 100);
        const nulls = Object.keys(pair).filter((field) => pair[field] === null);
        expect(Object.keys((pair.null_reasons ?? {}) as Json).sort()).toEqual(nulls.sort());
        if (pair.all_in_net_apr_pct === null) expect((pair.unknown as []).length).toBeGreaterThan(0);
      }
    }
  });

  it('the scan: of each asset the pair that nets most at the touch', async () => {
    const { status, body } = await get('/v1/perp/arbitrage/cash-carry', { limit: 100, notional_usd: 1000 });
    expect(status).toBe(200);
    const opportunities = listOf(body, 'opportunities');
    expect(opportunities.length).toBeGreaterThan(20);
    const nets = opportunities.map((pair) => Number(pair.all_in_net_apr_pct));
    expect(nets).toEqual(nets.toSorted((a, b) => b - a));
    const ids = opportunities.map((pair) => pair.canonical_id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const pair of opportunities) {
      expect(pair.unknown).toEqual([]);
      const cost = Number(pair.round_trip_fee_bps) + 2 * Number(pair.entry_slippage_bps);
      const gap = Math.max(0, Number((pair.gap as Json).cost_bps));
      expect(Number(pair.all_in_cost_bps)).toBeCloseTo(cost + gap, 2);
      const touch = pair.touch_usd === null ? null : Number(pair.touch_usd) >= 1000;
      expect(pair.fills_at_touch).toBe(touch);
    }
  });

  it('a touch of sizes that the venue does not state: not published', async () => {
    const { body } = await get('/v1/perp/arbitrage/cash-carry', {
      venues: 'whitebit,bybit',
      notional_usd: 1000,
    });
    const unsized = listOf(body, 'opportunities').filter(({ touch_usd: usd }) => usd === null);
    expect(unsized.length).toBeGreaterThan(0);
    for (const { spot_venue: venue, null_reasons: why } of unsized) {
      expect(venue).toBe('whitebit');
      expect(why).toMatchObject({ touch_usd: 'not_published', fills_at_touch: 'not_published' });
    }
  });

  it('a scan of a size: sells no coin of which less can be borrowed', async () => {
    const limitsOf = async (query: Readonly<Record<string, number>>) => {
      const path = '/v1/perp/arbitrage/cash-carry';
      const { body } = await get(path, { direction: 'short_spot', limit: 100, ...query });
      const limits = listOf(body, 'opportunities').map(({ borrow_limit_usd: limit }) => limit ?? Infinity);
      return { limits: limits.map(Number), counts: body.unassessed as Json, assessed: Number(body.assessed) };
    };
    const any = await limitsOf({});
    expect(Math.min(...any.limits)).toBeLessThan(5000);
    expect(any.counts.beyond_borrow_limit).toBe(0);
    const sized = await limitsOf({ notional_usd: 5000 });
    expect(Math.min(...sized.limits)).toBeGreaterThanOrEqual(5000);
    const beyond = any.assessed - sized.assessed;
    expect(beyond).toBeGreaterThan(0);
    expect(sized.counts).toEqual({ ...any.counts, beyond_borrow_limit: beyond });
  });

  it('basis: the middle of spot beside each row of all assets', async () => {
    const found: string[] = [];
    let own = 0;
    let others = 0;
    const { body: carry } = await get('/v1/perp/cash-carry', { ticker: 'BTC', limit: 1 });
    const worthOf = statedWorth(carry.quote_rates as Json);
    for (const id of ids) {
      const { status, body } = await get('/v1/perp/basis', { ticker: id });
      if (status !== 200) continue;
      const current = await get('/v1/spot/current', { ticker: id });
      const markets = current.status === 200 ? listOf(current.body, 'markets') : [];
      for (const item of listOf(body, 'items')) {
        const expected = expectedSpot(item, markets, worthOf);
        const { spot_basis_bps: bps, ...rest } = expected;
        const shown = Object.fromEntries(Object.keys(rest).map((field) => [field, item[field]]));
        const name = `${id} ${item.venue} ${item.venue_symbol}`;
        if (JSON.stringify(shown) !== JSON.stringify(rest))
          found.push(`${name}: ${JSON.stringify(shown)}, not ${JSON.stringify(rest)}`);
        if (Math.abs(Number(item.spot_basis_bps ?? 0) - Number(bps ?? 0)) > NEAR)
          found.push(`${name}: ${item.spot_basis_bps} bps, not ${bps}`);
        if (item.spot_venue === item.venue) own += 1;
        else if (item.spot_mid !== null) others += 1;
      }
    }
    expect(found.slice(0, 20)).toEqual([]);
    expect(Math.min(own, others)).toBeGreaterThan(50);
  });

  it('every coin at every venue: a rate, or that there is none to have', async () => {
    const reasons = new Set<unknown>();
    for (const id of ids) {
      const { status, body } = await get('/v1/spot/borrow', { ticker: id });
      if (status === 200) for (const { reason } of listOf(body, 'venues')) reasons.add(reason);
    }
    expect(reasons).toEqual(new Set([null, 'not_published', 'not_borrowable', 'closed']));
  });

  it('venues without spot: 404, and it says that they were asked for', async () => {
    const scan = await get('/v1/perp/arbitrage/cash-carry', { venues: 'deribit' });
    expect([scan.status, scan.body.code]).toEqual([404, 'no_data']);
    const one = await get('/v1/perp/cash-carry', { ticker: 'BTC', venues: 'deribit' });
    expect([one.status, one.body.code]).toEqual([404, 'no_data']);
    expect(one.body.detail).toMatch(/^None of \d+ spot markets of crypto:BTC is of the venues/);
  });

  it('no perpetual is large enough: its assets are counted as that', async () => {
    const { body } = await get('/v1/perp/arbitrage/cash-carry', { min_open_interest_usd: 1e15 });
    const { no_spot: none, ...others } = body.unassessed as Json;
    expect([body.count, Number(none) > 0]).toEqual([0, true]);
    expect(others).toEqual({
      too_small: expect.any(Number),
      apart: 0,
      input_unknown: 0,
      beyond_borrow_limit: 0,
    });
    expect(Number(others.too_small)).toBeGreaterThan(20);
  });

  it('a scan that sells coins: as old as their borrow rates', async () => {
    const path = '/v1/perp/arbitrage/cash-carry';
    const short = await get(path, { direction: 'short_spot', limit: 5 });
    const times = listOf(short.body, 'opportunities').map((pair) => Date.parse(String(pair.updated_at)));
    expect(times.length).toBeGreaterThan(0);
    expect(new Set([...times, short.asOf])).toEqual(new Set([borrowedAt(WORLD_AT)]));
    const long = await get(path, { direction: 'long_spot', limit: 5 });
    expect(long.asOf).toBeGreaterThan(short.asOf);
  });

  it('the scan: its sources are the venues of both legs', async () => {
    const { body, sources } = await get('/v1/perp/arbitrage/cash-carry', { limit: 5 });
    const legs = listOf(body, 'opportunities').flatMap((pair) => [pair.spot_venue, pair.perp_venue]);
    expect([...sources].sort()).toEqual([...new Set(legs)].sort());
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MarketRow } from '../../src/market/view.ts';
import { KIND_NAMES, type KindName, kindOf } from '../../src/modules/watch-conditions/kinds.ts';
import { createExampleApi, type ExampleApi } from '../api/example-api.ts';
import { exampleRows } from '../api/example-market.ts';
import { getRaw, json } from '../api/raw-http.ts';

/** The state of a condition at the moment. */
interface State {
  readonly holds: boolean | null;
  readonly values: Readonly<Record<string, unknown>>;
  readonly reason: string | null;
}

let example: ExampleApi;
let base: string;
beforeAll(async () => {
  example = createExampleApi({ mode: 'off' });
  base = await example.start();
});
afterAll(() => example.api.close());

type Json = Readonly<Record<string, unknown>>;

/** The answer of a product; undefined where it has none. */
async function answered(request: string): Promise<Json | undefined> {
  const answer = await getRaw(base, request);
  return answer.status === 200 ? (json(answer) as Json) : undefined;
}

/** A part of an answer, by names and places in lists. */
const partOf = (body: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce(
    (part, name) => (part as Readonly<Record<string | number, unknown>> | null | undefined)?.[name],
    body,
  );

const listOf = (body: unknown, ...path: readonly (string | number)[]): readonly Json[] =>
  (partOf(body, ...path) ?? []) as readonly Json[];

interface Told {
  /** The product's own request about what a row is of. */
  readonly request: (row: MarketRow) => string;
  /** The figure of that answer. */
  readonly figure: (body: Json, row: MarketRow) => unknown;
}

const contract = ({ venue, symbol }: MarketRow): string => `ticker=${symbol}&venue=${venue}`;
const asset = ({ canonicalId }: MarketRow): string => encodeURIComponent(canonicalId);
const rowIn = (list: readonly Json[], { venue, canonicalId }: MarketRow): Json | undefined =>
  list.find((each) => each.venue === venue && each.canonical_id === canonicalId);

const rates = (field: string): Told => ({
  request: ({ venue }) =>
    `/v1/funding/current?venue=${venue}&include_uncomparable=true&fresh=true&limit=1000`,
  figure: (body, row) => rowIn(listOf(body, 'rates'), row)?.[field],
});

const HOUR_MS = 3_600_000;
/** The change between the last hour of a history and the one a day before it, percent. */
function changeOfADay(buckets: readonly Json[]): unknown {
  const present = buckets.at(-1);
  const dayBefore = Date.parse(String(present?.bucket_start)) - 24 * HOUR_MS;
  const past = buckets.find(({ bucket_start: start }) => Date.parse(String(start)) === dayBefore);
  return past === undefined
    ? undefined
    : ((Number(present?.value) - Number(past.value)) / Number(past.value)) * 100;
}

/** Each kind of a level, by the product as a buyer asks it. */
const TOLD: Readonly<Partial<Record<KindName, Told>>> = {
  funding: rates('rate_8h'),
  funding_apr: rates('annualized_pct'),
  spread: {
    request: (row) => `/v1/perp/funding-spread?ticker=${asset(row)}`,
    figure: (body) => partOf(body, 'normalized', 'spread_8h_bps'),
  },
  net_apr: {
    request: (row) =>
      `/v1/perp/arbitrage/funding-signal?symbol=${asset(row)}&min_diff=0&include_below_1k=true&notional_usd=10000`,
    figure: (body) => partOf(body, 'opportunities', 0, 'net_apr_pct'),
  },
  price_gap: {
    request: (row) => `/v1/perp/arbitrage/price?symbol=${asset(row)}&min_diff_bps=0`,
    figure: (body) => partOf(body, 'opportunities', 0, 'spread_bps'),
  },
  basis: {
    request: (row) => `/v1/perp/basis?ticker=${asset(row)}`,
    figure: (body, row) => {
      const item = listOf(body, 'items').find(({ venue }) => venue === row.venue);
      return item?.basis_reliable === true ? item.basis_bps : undefined;
    },
  },
  percentile: {
    request: (row) => `/v1/perp/funding-stats?${contract(row)}`,
    figure: (body) => listOf(body, 'venues', 0, 'windows').find(({ days }) => days === 7)?.percentile,
  },
  oi_change: {
    request: (row) => `/v1/perp/oi-delta?${contract(row)}`,
    figure: (body) => body.delta_pct,
  },
  volume_change: {
    request: (row) => `/v1/perp/volume-history?${contract(row)}`,
    figure: (body) => changeOfADay(listOf(body, 'buckets')),
  },
  volume_ratio: {
    request: (row) => `/v1/perp/volume-anomalies?${contract(row)}&min_z=0`,
    figure: (body) => partOf(body, 'anomalies', 0, 'ratio'),
  },
  slippage: {
    request: ({ venue, symbol }) => `/v1/orderbook/depth/${venue}/${symbol}?size_usd=10000`,
    figure: (body) => partOf(body, 'quote', 'est_slippage_for_size_usd_bps'),
  },
};

const LEVELS = KIND_NAMES.filter((kind) => kindOf(kind).mode === 'level');

async function tried(kind: KindName, row: MarketRow, more: string): Promise<State | undefined> {
  const named = kindOf(kind).about === 'asset' ? `ticker=${asset(row)}` : contract(row);
  const days = kind === 'percentile' ? '&days=7' : '';
  const body = await answered(`/v1/watch/check?kind=${kind}&${named}&${more}${days}`);
  return body?.state as State | undefined;
}

it('each kind of a level has the product that a buyer would ask', () => {
  expect(Object.keys(TOLD).sort()).toEqual([...LEVELS].sort());
});

it.each(LEVELS)('%s: judged by the figure of the product, of every row', async (kind) => {
  const told = TOLD[kind];
  if (told === undefined) throw new Error(`${kind} has no product`);
  const figures: unknown[] = [];
  for (const row of exampleRows()) {
    const body = await answered(told.request(row));
    const figure = body === undefined ? undefined : told.figure(body, row);
    const value = typeof figure === 'number' ? Number(figure.toPrecision(10)) : undefined;
    const at = await tried(kind, row, `above=${value ?? 0}`);
    const where = `${kind} of ${row.canonicalId} at ${row.venue}`;
    // Of rates that are equal it is known that no pair yields more than 0.
    if (value === undefined)
      expect(at?.holds ?? null, where).toBe(kind === 'net_apr' && at?.holds === false ? false : null);
    else {
      figures.push(value);
      const under = value - Math.max(Math.abs(value) * 1e-9, 1e-12);
      expect([at?.holds, at?.reason], where).toEqual([false, null]);
      expect((await tried(kind, row, `above=${under}`))?.holds, where).toBe(true);
      expect(at?.values[kindOf(kind).field.split('.').at(-1) ?? ''], where).toBe(value);
    }
  }
  expect(figures.length).toBeGreaterThan(1);
});

it.each(['flip', 'interval'] as const)('%s: states the row of the rates', async (kind) => {
  for (const row of exampleRows()) {
    const { request, figure } = rates(kind === 'flip' ? 'rate' : 'funding_interval_hours');
    const body = await answered(request(row));
    const state = await tried(kind, row, '');
    const value = body === undefined ? undefined : figure(body, row);
    if (typeof value !== 'number') expect(state?.holds ?? null).toBeNull();
    else expect(state?.values[kindOf(kind).field.split(' ').at(-1) ?? '']).toBe(value);
  }
});

it('a venue that is not live: by the health of each', async () => {
  const health = (await answered('/v1/venues/health')) as unknown as readonly Json[];
  for (const { venue, status, last_update_at: heardAt } of health) {
    const body = await answered(`/v1/watch/check?kind=venue_not_live&venue=${venue}`);
    const state = body?.state as State | undefined;
    expect(state?.holds, String(venue)).toBe(heardAt === null ? null : status !== 'live');
  }
  expect(health.length).toBeGreaterThan(1);
});

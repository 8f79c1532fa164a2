import { afterAll, beforeAll, expect, it } from 'vitest';
import { isWire, wireArray } from '../../src/domain/read.ts';
import { asBase, asBps, asHours, asMs, asPrice, asRate, asUsd } from '../../src/domain/units.ts';
import { HistoryReader } from '../../src/history/reader.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import type { Contract, Sample, Settlement } from '../../src/history/sample.ts';
import type { MarketRow } from '../../src/market/view.ts';
import { ROUTES } from '../../src/modules/routes.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { createExampleApi, type ExampleApi } from '../api/example-api.ts';
import { EXAMPLE_VENUES, exampleRow } from '../api/example-market.ts';
import { createFakeMarket } from '../api/fake-market.ts';
import { getRaw, json } from '../api/raw-http.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, loadSettlements, valueIn } from './load.ts';

/**
 * A law over the route table: a venue lists an asset in two quotes, of both payments are stored, and the second was listed
 * later and pays the other way. No answer about the past says anything of the second.
 */

const DAY0 = asMs(Date.UTC(2026, 10, 10));
const NOW = asMs(DAY0 + 6 * DAY_MS + MINUTE_MS);
const FROM = '2026-11-15T00:00:00Z';
const TO = '2026-11-16T00:00:00Z';
/** Rows were sampled over the last hours alone; what is older was reported by the venues. */
const SAMPLED_FROM = 5 * DAY_MS + 18 * HOUR_MS;

const rows = ['binance', 'bybit'].map((venue, at) =>
  exampleRow({ venue, ticker: 'BTC', rate: 0.0003 - at * 0.0002, hours: 8, mark: 100, oi: 50, volume: 1e9 }),
);
const contracts = rows.map(
  ({ canonicalId, ticker, venue, symbol }): Contract => ({
    canonicalId,
    ticker,
    venue,
    symbol,
    listedAt: DAY0,
  }),
);
const seconds = contracts.map(
  (contract): Contract => ({ ...contract, symbol: `${contract.symbol}_USDC`, listedAt: asMs(DAY0 + DAY_MS) }),
);

const paid = (of: readonly Contract[], sign: number): Settlement[] =>
  of.flatMap((contract, venue) =>
    Array.from({ length: 18 }, (_, count) => ({
      ...contract,
      at: asMs(DAY0 + (count + 1) * 8 * HOUR_MS),
      origin: 'backfilled' as const,
      // The sign changes every day, so that there are flips to find.
      rate: asRate(sign * (Math.floor(count / 3) % 2 === 0 ? 0.0003 : -0.0001) * (venue + 1)),
    })),
  );

const touch = { bestBid: asPrice(99.9), bestAsk: asPrice(100.1) };
const book = {
  ...touch,
  bidDepthUsd: asUsd(1e6),
  askDepthUsd: asUsd(1e6),
  slippage1kBps: asBps(1),
  slippage5kBps: asBps(1),
  slippage10kBps: asBps(1),
};

const sampled = contracts.flatMap((contract) =>
  Array.from(
    { length: (6 * DAY_MS - SAMPLED_FROM) / MINUTE_MS + 1 },
    (_, minute): Sample => ({
      ...contract,
      at: asMs(DAY0 + SAMPLED_FROM + minute * MINUTE_MS),
      origin: 'sampled',
      comparable: true,
      fundingRate: asRate(0.0003),
      fundingIntervalHours: asHours(8),
      markPrice: asPrice(100),
      openInterestBase: asBase(45),
      volume24hUsd: asUsd(1e9),
      ...touch,
      depth: book,
    }),
  ),
);
/** The other contract was shown for an hour, a week ago. */
const shownBefore = seconds.map(
  (contract): Sample => ({
    ...contract,
    at: asMs(DAY0 + 2 * DAY_MS),
    origin: 'sampled',
    comparable: true,
    fundingRate: asRate(-0.0009),
    fundingIntervalHours: asHours(8),
    markPrice: asPrice(101),
    openInterestBase: asBase(3),
  }),
);

const REQUESTS: Readonly<Record<string, string>> = {
  '/v1/funding/historical': `ticker=BTC&from=${FROM}&to=${TO}`,
  '/v1/perp/funding-flips': 'ticker=BTC&hours=72',
  '/v1/perp/funding-forecast': 'ticker=BTC&days=2',
  '/v1/perp/funding-stats': 'ticker=BTC',
  '/v1/perp/spread-stats': 'ticker=BTC',
  '/v1/perp/funding-heatmap': 'step=1d&from=2026-11-11T00:00:00Z',
  '/v1/perp/oi-history': `ticker=BTC&venue=binance&from=2026-11-12T00:00:00Z`,
  '/v1/perp/oi-delta': 'ticker=BTC&venue=binance&lookback_hours=1',
  '/v1/perp/volume-history': 'ticker=BTC&venue=binance',
  '/v1/perp/volume-anomalies': 'ticker=BTC',
  '/v1/backtest/data': `ticker=BTC&venue=binance&from=2026-11-11T00:00:00Z&to=${TO}`,
  '/v1/backtest/pair': `ticker=BTC&short=binance&long=bybit&from=${FROM}&to=${TO}&enter_bps=0.1&assumed_slippage_bps=1`,
};

/** They need hours of spot, which this past has none of. */
const OVER_SPOT = ['/v1/spot/history', '/v1/backtest/carry'];

/** Every symbol that an answer names, wherever it stands. */
function symbolsIn(value: unknown): readonly string[] {
  const list = wireArray(value);
  if (list !== undefined) return list.flatMap(symbolsIn);
  if (!isWire(value)) return [];
  const own = typeof value.venue_symbol === 'string' ? [value.venue_symbol] : [];
  return [...own, ...Object.values(value).flatMap(symbolsIn)];
}

/** Every value of a name in an answer. */
function valuesOf(value: unknown, name: string): readonly unknown[] {
  const list = wireArray(value);
  if (list !== undefined) return list.flatMap((item) => valuesOf(item, name));
  if (!isWire(value)) return [];
  const own = name in value ? [value[name]] : [];
  return [...own, ...Object.values(value).flatMap((item) => valuesOf(item, name))];
}

/** Interval, contract size, class and fee of today. */
const OTHER_FACTS: Partial<MarketRow> = {
  fundingIntervalHours: asHours(1),
  multiplier: 1000,
  assetClass: 'equity',
  takerFeeBps: asBps(90),
};

describeEngines('an asset that a venue lists twice', (engine) => {
  let example: ExampleApi;
  let base = '';
  /** The same past under rows whose facts of today are others. */
  let changed: ExampleApi;
  let later = '';

  beforeAll(async () => {
    const store = await engine.open('series_contract');
    const recorded = <T>(list: readonly T[]) => list.map((value) => ({ value, recordedAt: asMs(DAY0) }));
    await loadSamples(store, recorded([...shownBefore, ...sampled]));
    await loadSettlements(store, recorded([...paid(contracts, 1), ...paid(seconds, -1)]));
    const { clock } = new ManualTime(NOW);
    const reader = new HistoryReader({ store, clock, retention: DEFAULT_RETENTION, rolledTo: () => DAY0 });
    const history = { reader, version: 1 };
    const serve = (of: readonly MarketRow[]) =>
      createExampleApi({ mode: 'off', market: createFakeMarket(EXAMPLE_VENUES, of), clock, history });
    example = serve(rows);
    base = await example.start();
    changed = serve(rows.map((row) => ({ ...row, ...OTHER_FACTS })));
    later = await changed.start();
    // Settled means are added up when they are first asked for.
    valueIn(await reader.settledSpans());
  });
  afterAll(async () => {
    await example.api.close();
    await changed.api.close();
  });

  const answerOf = async (path: string, query = REQUESTS[path] ?? '', at = base): Promise<unknown> => {
    const response = await getRaw(at, `${path}?${query}`);
    return response.status === 200 ? json(response) : { status: response.status, ...Object(json(response)) };
  };

  it('the law covers every route that answers from what is stored', () => {
    const stored = ROUTES.filter(
      ({ access, dependsOn, path }) =>
        access === 'paid' &&
        (dependsOn === 'history' || dependsOn === 'table-history') &&
        !OVER_SPOT.includes(path),
    );
    expect(Object.keys(REQUESTS).sort()).toEqual(stored.map(({ path }) => path).sort());
  });

  it.each(Object.keys(REQUESTS).filter((path) => path !== '/v1/perp/volume-anomalies'))(
    '%s: nothing of the second contract is shown',
    async (path) => {
      const body = await answerOf(path);
      expect(body).not.toHaveProperty('status');
      const symbols = new Set(symbolsIn(body));
      if (path !== '/v1/perp/funding-heatmap') expect(symbols.size).toBeGreaterThan(0);
      expect([...symbols].filter((symbol) => symbol.endsWith('_USDC'))).toEqual([]);
    },
  );

  it('payments of the row’s contract alone: signs are those of the first', async () => {
    const query = `ticker=BTC&from=2026-11-13T00:00:00Z&to=${TO}&basis=settled`;
    const body = await answerOf('/v1/funding/historical', query);
    const buckets = (isWire(body) ? wireArray(body.buckets) : undefined) ?? [];
    const binance = buckets.filter(isWire).filter(({ venue }) => venue === 'binance');
    expect(binance.map(({ avg_funding_rate: rate }) => rate)).toEqual([
      ...[0.0003, -0.0001, -0.0001, -0.0001, 0.0003, 0.0003, 0.0003, -0.0001, -0.0001],
    ]);
  });

  it('no row, and as of a past moment: the contract last shown then', async () => {
    const query = `ticker=BTC&from=2026-11-13T00:00:00Z&to=${TO}&basis=settled`;
    const before = await answerOf('/v1/funding/historical', query);
    const then = await answerOf('/v1/funding/historical', `${query}&as_of=2026-11-16T00:00:00Z`);
    expect(new Set(symbolsIn(then))).toEqual(new Set(symbolsIn(before)));
    const early = `ticker=BTC&from=2026-11-11T00:00:00Z&to=2026-11-13T00:00:00Z&basis=settled`;
    const ofSecond = await answerOf('/v1/funding/historical', `${early}&as_of=2026-11-13T00:00:00Z`);
    expect(new Set(symbolsIn(ofSecond))).toEqual(new Set(seconds.map(({ symbol }) => symbol)));
  });

  /** Answers of the past alone, and those parts of others. */
  const PASTS: readonly (readonly [path: string, query: string, part: string | undefined])[] = [
    ...['/v1/funding/historical', '/v1/perp/funding-flips', '/v1/perp/funding-heatmap'].map(
      (path) => [path, REQUESTS[path] ?? '', undefined] as const,
    ),
    ...['/v1/perp/oi-history', '/v1/perp/volume-history', '/v1/backtest/data'].map(
      (path) => [path, REQUESTS[path] ?? '', undefined] as const,
    ),
    ['/v1/backtest/pair', `${REQUESTS['/v1/backtest/pair']}&fee_bps=5`, undefined],
    ['/v1/perp/oi-delta', REQUESTS['/v1/perp/oi-delta'] ?? '', 'past_oi'],
    ['/v1/perp/funding-stats', 'ticker=BTC', 'mean_8h_bps'],
    ['/v1/perp/spread-stats', 'ticker=BTC', 'mean_8h_bps'],
    ['/v1/funding/current', 'symbol=BTC&settled_means=true', 'settled_means'],
  ];

  it.each(PASTS)('%s?%s: the facts of today change nothing of the past', async (path, query, part) => {
    const now = await answerOf(path, query);
    const other = await answerOf(path, query, later);
    expect(now).not.toHaveProperty('status');
    if (part === undefined) expect(other).toEqual(now);
    else expect(valuesOf(other, part)).toEqual(valuesOf(now, part));
    if (part !== undefined) expect(valuesOf(now, part).length).toBeGreaterThan(0);
  });

  it('payments without a stated interval: mean over the time between', async () => {
    const [means] = valuesOf(
      await answerOf('/v1/funding/current', 'symbol=BTC&settled_means=true', later),
      'settled_means',
    );
    // Of the last day: three payments of 0.0003, eight hours apart, while the rows of today say one hour.
    expect(isWire(means) ? means.rate_8h_1d : undefined).toBeCloseTo(-0.0001, 12);
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROUTES } from '../../src/api/table.ts';
import { isWire, wireArray } from '../../src/domain/read.ts';
import { asBase, asBps, asHours, asMs, asPrice, asRate, asUsd } from '../../src/domain/units.ts';
import { HistoryReader } from '../../src/history/reader.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import type { Contract, Sample, Settlement } from '../../src/history/sample.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { createExampleApi, type ExampleApi } from '../api/example-api.ts';
import { EXAMPLE_VENUES, exampleRow } from '../api/example-market.ts';
import { createFakeMarket, type FakeMarket } from '../api/fake-market.ts';
import { getRaw, json } from '../api/raw-http.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, loadSettlements } from './load.ts';

/**
 * A law over the route table: a venue lists an asset in two quotes, of both payments are stored, and the second was listed
 * later and pays the other way. No answer about the past says anything of the second.
 */

const DAY0 = asMs(Date.UTC(2026, 10, 10));
const NOW = asMs(DAY0 + 6 * DAY_MS + MINUTE_MS);
const FROM = '2026-11-15T00:00:00Z';
const TO = '2026-11-16T00:00:00Z';
/** Rows were sampled over the last hours alone; what is older was told by the venues. */
const SAMPLED_FROM = 5 * DAY_MS + 18 * HOUR_MS;

const rows = ['binance', 'bybit'].map((venue, at) =>
  exampleRow({ venue, ticker: 'BTC', rate: 0.0003 - at * 0.0002, hours: 8, mark: 100, oi: 50, volume: 1e9 }),
);
const contracts = rows.map(
  ({ canonicalId, ticker, venue, symbol }): Contract => ({
    ...{ canonicalId, ticker, venue, symbol, listedAt: DAY0 },
  }),
);
const seconds = contracts.map(
  (contract): Contract => ({ ...contract, symbol: `${contract.symbol}_USDC`, listedAt: asMs(DAY0 + DAY_MS) }),
);

const paid = (of: readonly Contract[], sign: number): Settlement[] =>
  of.flatMap((contract, venue) =>
    Array.from({ length: 18 }, (_, count) => ({
      ...{ ...contract, at: asMs(DAY0 + (count + 1) * 8 * HOUR_MS), origin: 'backfilled' as const },
      // The sign changes every day, so that there are flips to find.
      rate: asRate(sign * (Math.floor(count / 3) % 2 === 0 ? 0.0003 : -0.0001) * (venue + 1)),
      intervalHours: asHours(8),
    })),
  );

const touch = { bestBid: asPrice(99.9), bestAsk: asPrice(100.1) };
const book = {
  ...touch,
  ...{ bidDepthUsd: asUsd(1e6), askDepthUsd: asUsd(1e6) },
  ...{ slippage1kBps: asBps(1), slippage5kBps: asBps(1), slippage10kBps: asBps(1) },
};

const sampled = contracts.flatMap((contract) =>
  Array.from(
    { length: (6 * DAY_MS - SAMPLED_FROM) / MINUTE_MS + 1 },
    (_, minute): Sample => ({
      ...{ ...contract, at: asMs(DAY0 + SAMPLED_FROM + minute * MINUTE_MS), origin: 'sampled' },
      ...{ comparable: true, fundingRate: asRate(0.0003), fundingIntervalHours: asHours(8) },
      ...{ markPrice: asPrice(100), openInterestBase: asBase(45), volume24hUsd: asUsd(1e9) },
      ...{ ...touch, depth: book },
    }),
  ),
);
/** The other contract was shown for an hour, a week ago. */
const shownBefore = seconds.map(
  (contract): Sample => ({
    ...{ ...contract, at: asMs(DAY0 + 2 * DAY_MS), origin: 'sampled', comparable: true },
    ...{ fundingRate: asRate(-0.0009), fundingIntervalHours: asHours(8), markPrice: asPrice(101) },
    openInterestBase: asBase(3),
  }),
);

const REQUESTS: Readonly<Record<string, string>> = {
  '/v1/funding/historical': `ticker=BTC&from=${FROM}&to=${TO}`,
  '/v1/perp/funding-flips': 'ticker=BTC&hours=72',
  '/v1/perp/funding-stats': 'ticker=BTC',
  '/v1/perp/spread-stats': 'ticker=BTC',
  '/v1/perp/funding-heatmap': 'step=1d&from=2026-11-11T00:00:00Z',
  '/v1/perp/oi-history': `ticker=BTC&venue=binance&from=2026-11-12T00:00:00Z`,
  '/v1/perp/oi-delta': 'ticker=BTC&venue=binance&lookback_hours=1',
  '/v1/perp/volume-history': 'ticker=BTC&venue=binance',
  '/v1/perp/volume-anomalies': 'ticker=BTC',
  '/v1/backtest/data': `ticker=BTC&venue=binance&from=2026-11-11T00:00:00Z&to=${TO}`,
  '/v1/backtest/pair': `ticker=BTC&short=binance&long=bybit&from=${FROM}&to=${TO}&enter_bps=0.1`,
};

/** Every symbol that an answer names, wherever it stands. */
function symbolsIn(value: unknown): readonly string[] {
  const list = wireArray(value);
  if (list !== undefined) return list.flatMap(symbolsIn);
  if (!isWire(value)) return [];
  const own = typeof value.venue_symbol === 'string' ? [value.venue_symbol] : [];
  return [...own, ...Object.values(value).flatMap(symbolsIn)];
}

describeEngines('an asset that a venue lists twice', (engine) => {
  let example: ExampleApi;
  let base = '';
  let market: FakeMarket;

  beforeAll(async () => {
    const store = await engine.open('series_contract');
    const recorded = <T>(list: readonly T[]) => list.map((value) => ({ value, recordedAt: asMs(DAY0) }));
    await loadSamples(store, recorded([...shownBefore, ...sampled]));
    await loadSettlements(store, recorded([...paid(contracts, 1), ...paid(seconds, -1)]));
    const { clock } = new ManualTime(NOW);
    const reader = new HistoryReader({ store, clock, retention: DEFAULT_RETENTION, rolledTo: () => DAY0 });
    market = createFakeMarket(EXAMPLE_VENUES, rows);
    example = createExampleApi({ mode: 'off', market, clock, history: { reader, version: 1 } });
    base = await example.start();
  });
  afterAll(async () => {
    await example.api.close();
  });

  const answerOf = async (path: string, query = REQUESTS[path] ?? ''): Promise<unknown> => {
    const response = await getRaw(base, `${path}?${query}`);
    return response.status === 200 ? json(response) : { status: response.status, ...Object(json(response)) };
  };

  it('the law covers every route that answers from what is stored', () => {
    const stored = ROUTES.filter(
      ({ access, dependsOn }) =>
        access === 'paid' && (dependsOn === 'history' || dependsOn === 'table-history'),
    );
    expect(Object.keys(REQUESTS).sort()).toEqual(stored.map(({ path }) => path).sort());
  });

  it.each(Object.keys(REQUESTS).filter((path) => path !== '/v1/perp/volume-anomalies'))(
    '%s: nothing of the second contract is said',
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
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { isWire, type Wire } from '../../src/domain/read.ts';
import { asBase, asHours, asMs, asPrice, asRate } from '../../src/domain/units.ts';
import { HistoryReader } from '../../src/history/reader.ts';
import { DEFAULT_RETENTION } from '../../src/history/retention.ts';
import type { Sample, Settlement } from '../../src/history/sample.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { createExampleApi, type ExampleApi } from '../api/example-api.ts';
import { EXAMPLE_VENUES, exampleRow } from '../api/example-market.ts';
import { createFakeMarket } from '../api/fake-market.ts';
import { getRaw, json, type RawResponse } from '../api/raw-http.ts';
import { ManualTime } from '../collect/manual-time.ts';
import { describeEngines } from './engines.ts';
import { loadSamples, loadSettlements } from './load.ts';

const DAY0 = asMs(Date.UTC(2026, 10, 20));
/** The service was started at 04:30; a payment of 06:00 has just been told. */
const STARTED = 4.5 * HOUR_MS;
const NOW = asMs(DAY0 + 6 * HOUR_MS + MINUTE_MS);

const row = exampleRow({ venue: 'binance', ticker: 'BTC', rate: 0.0003, hours: 2, mark: 100, oi: 50 });
const { canonicalId, ticker, venue, symbol } = row;
const contract = { canonicalId, ticker, venue, symbol, listedAt: asMs(DAY0 - 24 * HOUR_MS) };
const at = (ms: number) => asMs(DAY0 + ms);

/** Marks and open interest that the venue told after the start; no rates, since it tells only what was paid. */
const told = [0, 1, 2, 3, 4].map(
  (hour): Sample => ({
    ...contract,
    at: at(hour * HOUR_MS),
    origin: 'backfilled',
    comparable: true,
    markPrice: asPrice(90 + hour),
    openInterestBase: asBase(40),
  }),
);
const sampled = Array.from(
  { length: 91 },
  (_, i): Sample => ({
    ...contract,
    at: at(STARTED + i * MINUTE_MS),
    origin: 'sampled',
    comparable: true,
    fundingRate: asRate(0.0003),
    fundingIntervalHours: asHours(2),
    markPrice: asPrice(100),
    openInterestBase: asBase(45),
  }),
);
const paid = [
  [0, 0.0001],
  [2, -0.0001],
  [4, -0.0002],
  [6, 0.0003],
].map(
  ([hour = 0, rate = 0]): Settlement => ({
    ...contract,
    at: at(hour * HOUR_MS),
    origin: 'backfilled',
    rate: asRate(rate),
    intervalHours: asHours(2),
  }),
);

describeEngines('a past that was told in part, seen in part', (engine) => {
  let example: ExampleApi;
  let base = '';
  beforeAll(async () => {
    const store = await engine.open('past_products');
    const recorded = <T>(list: readonly T[]) => list.map((value) => ({ value, recordedAt: at(STARTED) }));
    await loadSamples(store, recorded([...told, ...sampled]));
    await loadSettlements(store, recorded(paid));
    const { clock } = new ManualTime(NOW);
    const reader = new HistoryReader({ store, clock, retention: DEFAULT_RETENTION, rolledTo: () => DAY0 });
    const market = createFakeMarket(EXAMPLE_VENUES, [row]);
    example = createExampleApi({ mode: 'off', market, clock, history: { reader, version: 1 } });
    base = await example.start();
  });
  afterAll(async () => {
    await example.api.close();
  });

  const ask = (path: string, query: Readonly<Record<string, string>>): Promise<RawResponse> =>
    getRaw(base, `${path}?${new URLSearchParams({ ticker: 'BTC', ...query })}`);
  const list = async (name: string, response: Promise<RawResponse>): Promise<readonly Wire[]> => {
    const body = json(await response);
    const found = isWire(body) ? body[name] : undefined;
    return Array.isArray(found) ? found.filter(isWire) : [];
  };
  const from = '2026-11-20T00:00:00Z';
  const hourOf = (text: unknown): string => String(text).slice(11, 13);

  it('includes a payment of 06:00 at 06:01, in a bucket marked as partial', async () => {
    const buckets = await list('buckets', ask('/v1/funding/historical', { from, basis: 'settled' }));
    expect(buckets.map((b) => [hourOf(b.bucket_start), b.avg_funding_rate, b.partial])).toEqual([
      ['00', 0.0001, false],
      ['02', -0.0001, false],
      ['04', -0.0002, false],
      ['06', 0.0003, true],
    ]);
    expect(buckets.every((b) => b.origin === 'settled' && b.venue_symbol === symbol)).toBe(true);
  });

  it('both bases: sampled rates where known, payments elsewhere', async () => {
    const rows = async (basis?: string) => {
      const query = basis === undefined ? { from } : { from, basis };
      const buckets = await list('buckets', ask('/v1/funding/historical', query));
      return buckets.map((b) => `${hourOf(b.bucket_start)} ${b.basis}`);
    };
    expect(await rows('sampled')).toEqual(['04 sampled', '05 sampled', '06 sampled']);
    expect(await rows()).toEqual(['00 settled', '02 settled', '04 sampled', '05 sampled', '06 sampled']);
  });

  it('has no rate in a backtest hour in which it was not known', async () => {
    const query = { venue, from, to: '2026-11-20T06:00:00Z' };
    const data = await list('data', ask('/v1/backtest/data', query));
    expect(data.map((d) => [hourOf(d.ts), d.funding_source, d.funding_rate, d.settled_funding_rate])).toEqual(
      [
        ['00', 'settled', 0.0001, 0.0001],
        ['01', null, null, null],
        ['02', 'settled', -0.0001, -0.0001],
        ['03', null, null, null],
        ['04', 'sampled', 0.0003, -0.0002],
        ['05', 'sampled', 0.0003, null],
      ],
    );
    const body = json(await ask('/v1/backtest/data', query));
    // 90 of 360 minutes and two hours with a payment have a rate; a price, 4 hours and 90 minutes.
    const completeness = { funding: 58.33, price: 91.66 };
    expect(isWire(body) && body.metadata).toMatchObject({ completeness, completeness_pct: 58.33 });
  });

  it('dates flips by the payment, then by sampled rates', async () => {
    const flips = await list('flips', ask('/v1/perp/funding-flips', { hours: '6' }));
    expect(flips.map((f) => [f.at, f.origin, f.direction])).toEqual([
      ['2026-11-20T02:00:00.000Z', 'settled', 'positive_to_negative'],
      ['2026-11-20T04:59:00.000Z', 'sampled', 'negative_to_positive'],
    ]);
  });

  it('serves a file with a name', async () => {
    const query = { venue, from, to: '2026-11-20T06:00:00Z', format: 'csv' };
    const { headers } = await ask('/v1/backtest/data', query);
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="binance_BTC_1h_2026-11-20T0000Z_2026-11-20T0600Z.csv"',
    );
  });

  it('change of open interest on a first day: the nearest hourly point', async () => {
    const near = await ask('/v1/perp/oi-delta', { venue, lookback_hours: '1' });
    expect(json(near)).toMatchObject({
      past_oi: 45,
      past_ts: '2026-11-20T05:01:00.000Z',
      past_source: 'sampled',
    });
    const five = json(await ask('/v1/perp/oi-delta', { venue, lookback_hours: '5' }));
    expect(five).toMatchObject({ past_oi: 40, past_ts: '2026-11-20T01:00:00.000Z' });
    // It is 06:01 and no full hour: the point an hour before stands within its own spacing.
    const between = await ask('/v1/perp/oi-delta', { venue, lookback_hours: '2' });
    const point = { past_oi: 40, past_ts: '2026-11-20T04:00:00.000Z', past_source: 'backfilled' };
    expect(json(between)).toMatchObject(point);
    const none = await ask('/v1/perp/oi-delta', { venue, lookback_hours: '8' });
    expect(none.status).toBe(404);
    expect(json(none)).toMatchObject({
      code: 'no_data',
      detail: expect.stringContaining('the nearest known is of 2026-11-20T00:00:00.000Z, backfilled'),
    });
  });
});

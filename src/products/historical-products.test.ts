import { describe, expect, it } from 'vitest';
import type { FundingPayment, SettledMean } from '../domain/series.ts';
import { asBps, asMs, asRate } from '../domain/units.ts';
import { notStored, type StoreResult, stored } from '../history/store.ts';
import { makeMarket } from '../market/market-fixture.ts';
import { FIXTURE_NOW, makeRow, type RowSketch } from '../market/row-fixture.ts';
import { DAY_MS, HOUR_MS } from '../runtime/duration.ts';
import { expectPublic, makeAsset } from './asset-fixture.ts';
import type { Ports } from './define-product.ts';
import { rateLeg } from './funding/rate-leg.ts';
import { perpArbitrageFundingSignal } from './perp-arbitrage-funding-signal.ts';
import { fundingHeatmap } from './perp-funding-heatmap.ts';
import { fundingStats } from './perp-funding-stats.ts';
import { spreadStats } from './perp-spread-stats.ts';

/** The last payment before 21:30; hours are counted up to 22:00. */
const LAST = FIXTURE_NOW - 5.5 * HOUR_MS;
/** 21 payments every eight hours are a week: 162 hours of it lie in the last 168. */
const WEEK = 21;

/** A week of payments every eight hours, oldest first, in basis points. */
function weekOf(venue: string, bpsAt: (k: number) => number, symbol = 'BTC'): readonly FundingPayment[] {
  return Array.from({ length: WEEK }, (_, k) => ({
    canonicalId: 'crypto:BTC',
    venue,
    symbol,
    listedAt: asMs(0),
    hours: 8,
    at: asMs(LAST - (WEEK - 1 - k) * 8 * HOUR_MS),
    rate: asRate(bpsAt(k) / 10_000),
  }));
}

describe('funding statistics, computed by hand', () => {
  const paid = weekOf('v1', (k) => (k < WEEK - 2 ? 2 : -1));

  it('rank the present rate among hours, with the last run of one sign', () => {
    const asset = makeAsset([{ symbol: 'BTC', rate: 0.0001, interval: 8 }]);
    const other = weekOf('v1', () => 50, 'BTCUSDC');
    const { body } = fundingStats(asset, [...paid, ...other], FIXTURE_NOW);
    const [one] = body.venues;
    expect(one).toMatchObject({ payments: WEEK, last_payment_at: '2026-11-20T16:00:00.000Z' });
    expect(one?.streak).toEqual({ sign: 'negative', payments: 2, since: '2026-11-20T08:00:00.000Z' });
    const [week, month] = one?.windows ?? [];
    // 146 hours at 2, 16 at -1.
    expect(week?.coverage_pct).toBeCloseTo((162 / 168) * 100, 9);
    expect(week?.percentile).toBeCloseTo((16 / 162) * 100, 9);
    expect(week?.mean_8h_bps).toBeCloseTo((146 * 2 - 16) / 162, 9);
    expect(week?.median_8h_bps).toBeCloseTo(2, 9);
    expect(week?.positive_pct).toBeCloseTo((146 / 162) * 100, 9);
    expect(month).toMatchObject({
      days: 30,
      mean_8h_bps: null,
      null_reasons: { mean_8h_bps: 'past_too_short' },
    });
    expectPublic(body);
  });

  it('say which of a rate, its interval and its past is missing', () => {
    const asset = makeAsset([
      { symbol: 'BTC', interval: undefined },
      { symbol: 'BTC', rate: undefined },
    ]);
    const { venues, venues_count } = fundingStats(asset, paid, FIXTURE_NOW).body;
    expect(venues_count).toBe(1);
    expect(venues[0]?.windows[0]).toMatchObject({
      percentile: null,
      null_reasons: { percentile: 'interval_unknown' },
    });
  });
});

describe('spread statistics, computed by hand', () => {
  /** Short venue pays 2 bps more now; over the week 3 bps more in two payments, 2 in one, 4 in the last. */
  const more = new Map([
    [3, 3],
    [4, 3],
    [10, 2],
    [WEEK - 1, 4],
  ]);
  const paid = [...weekOf('v1', (k) => 1 + (more.get(k) ?? 0)), ...weekOf('v2', () => 1)];
  const legsOf = (short: RowSketch, long: RowSketch = {}) => ({
    short: makeRow({ venue: 'v1', symbol: 'BTC', rate: 0.0003, ...short }),
    long: makeRow({ venue: 'v2', symbol: 'BTC', rate: 0.0001, ...long }),
    ticker: 'BTC',
    canonicalId: 'crypto:BTC',
  });

  it('count earlier runs as wide, the present one, and payments after each', () => {
    const { body } = spreadStats(legsOf({}), paid, 2, FIXTURE_NOW);
    expect(body.spread_8h_bps).toBeCloseTo(2, 9);
    expect(body).toMatchObject({ episodes: 2, median_duration_hours: 12, present_duration_hours: 8 });
    expect(body.p90_duration_hours).toBeCloseTo(8 + 0.9 * 8, 9);
    const [day, three, week] = body.held;
    // The first is entered when payment 3 has been made and is paid 3 bps by payment 4, the second is paid nothing.
    expect(day).toMatchObject({ days: 1, entries: 2, paid: 1, paid_pct: 50 });
    expect(day?.median_earned_bps).toBeCloseTo(1.5, 9);
    expect(three).toMatchObject({ days: 3, entries: 2, paid: 1 });
    expect(week).toMatchObject({ days: 7, entries: 0, paid: null, null_reasons: { paid: 'no_precedent' } });
    expectPublic(body);
  });

  it('say nothing of fees that are not published', () => {
    const [day] = spreadStats(legsOf({}), paid, undefined, FIXTURE_NOW).body.held;
    expect(day).toMatchObject({ entries: 2, paid: null, null_reasons: { paid: 'not_published' } });
  });

  it.each([
    ['is not positive', legsOf({ rate: 0.0001 }), paid, 'not_positive'],
    ['has an unknown interval', legsOf({ interval: undefined }), paid, 'interval_unknown'],
    ['has an unknown rate', legsOf({ rate: undefined }), paid, 'unknown'],
    ['has no past', legsOf({}), [], 'past_too_short'],
  ] as const)('have no episodes where the spread %s', (_, legs, payments, why) => {
    const { body } = spreadStats(legs, payments, 2, FIXTURE_NOW);
    expect(body).toMatchObject({ episodes: null, present_duration_hours: null });
    expect(body.null_reasons).toMatchObject({ episodes: why, present_duration_hours: why });
    const unknown = { entries: 0, paid: null, paid_pct: null, median_earned_bps: null };
    const held = { ...unknown, null_reasons: { paid: why, paid_pct: why, median_earned_bps: why } };
    expect(body.held).toMatchObject([held, held, held]);
  });
});

describe('a leg whose eight-hour rate is unknown', () => {
  it.each([
    ['the rate is not stated', { rate: undefined }, { rate: 'unknown', rate_8h: 'unknown' }],
    [
      'neither rate nor interval is',
      { rate: undefined, interval: undefined },
      { rate_8h: 'unknown', funding_interval_hours: 'interval_unknown' },
    ],
    ['the interval is not', { interval: undefined }, { rate_8h: 'interval_unknown' }],
  ] as const)('says why where %s', (_, sketch, reasons) => {
    expect(rateLeg(makeRow(sketch)).null_reasons).toMatchObject(reasons);
  });
});

describe('the present spread of named venues', () => {
  const legs = (short: RowSketch) => ({
    short: makeRow({ venue: 'v1', symbol: 'BTC', rate: 0.0003, ...short }),
    long: makeRow({ venue: 'v2', symbol: 'BTC', rate: 0.0001 }),
    ticker: 'BTC',
    canonicalId: 'crypto:BTC',
  });
  const paid = [...weekOf('v1', () => 3), ...weekOf('v2', () => 1)];

  it.each([
    ['has a late rate', { rateFresh: false }],
    ['is not fresh', { fresh: false, rateFresh: false }],
    ['is not comparable', { reason: 'price_dispersion' }],
  ] as const)('is unknown where a leg %s, beside a past that is known', (_, sketch) => {
    const { body } = spreadStats(legs(sketch), paid, 2, FIXTURE_NOW);
    expect(body).toMatchObject({
      spread_8h_bps: null,
      episodes: null,
      null_reasons: { spread_8h_bps: 'unknown', episodes: 'unknown' },
      // Each leg's last statement stands there with its time.
      short: { rate: 0.0003 },
      windows: [{ days: 7, percentile: null, mean_8h_bps: expect.closeTo(2, 9) }, {}, {}],
    });
  });
});

describe('the funding heatmap', () => {
  const DAY = asMs(Date.UTC(2026, 10, 19));
  const window = { aggregation: '1d', from: DAY, to: asMs(DAY + 2 * DAY_MS), knownTo: FIXTURE_NOW } as const;
  const mean = (venue: string, day: number, bps: number, more: Partial<SettledMean> = {}): SettledMean => ({
    canonicalId: 'crypto:BTC',
    venue,
    symbol: 'BTC',
    listedAt: asMs(0),
    start: asMs(DAY + day * DAY_MS),
    rate8h: bps / 10_000,
    hours: 24,
    lastAt: asMs(DAY + day * DAY_MS + 16 * HOUR_MS),
    ...more,
  });
  const rows = ['v1', 'v2', 'v3'].map((venue) => makeRow({ venue, symbol: 'BTC' }));
  const asset = { canonicalId: 'crypto:BTC', ticker: 'BTC', rows, interestUsd: 5 };

  it('has the widest spread of each column, and the age of its payments', () => {
    const means = [mean('v1', 0, 3), mean('v2', 0, 1), mean('v1', 1, 2), mean('v2', 1, 2)];
    const { body, asOf, sources } = fundingHeatmap([asset], means, window, undefined);
    const [row] = body.assets;
    expect(row?.values_8h_bps[0]).toBeCloseTo(2, 9);
    expect(row?.values_8h_bps[1]).toBe(0);
    expect(row).toMatchObject({
      short_venues: ['v1', expect.any(String)],
      long_venues: ['v2', expect.any(String)],
    });
    expect(asOf).toBe(DAY + DAY_MS + 16 * HOUR_MS);
    expect(sources).toEqual({ used: ['v1', 'v2'], missing: ['v3'] });
    expectPublic(body);
  });

  it('one venue, another contract, an earlier listing: no spread', () => {
    const means = [
      mean('v1', 0, 3),
      mean('v2', 0, 9, { symbol: 'BTCUSDC' }),
      mean('v3', 0, 9),
      mean('v3', 1, 1, { listedAt: asMs(1) }),
      mean('v1', 1, 3),
    ];
    const [row] = fundingHeatmap([asset], means, window, undefined).body.assets;
    expect(row?.values_8h_bps).toEqual([null, expect.closeTo(2, 9)]);
    expect(row?.short_venues).toEqual([null, 'v1']);
  });

  it('has the rates of one venue', () => {
    const own = { ...asset, rows: rows.slice(1, 2) };
    const { body, sources } = fundingHeatmap([own], [mean('v2', 1, -4)], window, 'v2');
    expect(body).toMatchObject({ of: 'rate', venue: 'v2' });
    expect(body.assets[0]?.values_8h_bps).toEqual([null, expect.closeTo(-4, 9)]);
    expect(sources).toEqual({ used: ['v2'], missing: [] });
  });
});

describe('the past of a funding signal', () => {
  const fixture = makeMarket();
  for (const [venue, rate] of [
    ['binance', 0.0001],
    ['bybit', 0.0003],
  ] as const) {
    fixture.list(venue, [{ base: 'BTC', ticker: 'BTC', symbol: 'BTC' }], { takerFeeBps: asBps(5) });
    fixture.quote(venue, { symbol: 'BTC', mark: 100, rate, interval: 8, volumeUsd: 1e6 });
  }
  const nullReasonsWith = async (read: StoreResult<unknown>) => {
    const ports = {
      market: fixture.market.view,
      books: { passive: { quote: () => undefined } },
      history: {
        reader: { recentPayments: async () => read, buckets: async () => (read.ok ? stored([]) : read) },
      },
      clock: { now: () => FIXTURE_NOW },
    } as unknown as Ports;
    const asked = { min_diff: 0, limit: 10, include_below_1k: true, holding_days: 7 };
    const plan = perpArbitrageFundingSignal.plan(asked, ports);
    const made = plan.ok ? await plan.value.produce() : plan;
    return made.ok ? made.value.content : made.error;
  };
  const withReason = (word: string) => ({
    json: {
      opportunities: [{ null_reasons: { percentile_30d: word, median_duration_hours: word } }],
    },
  });

  it('is unknown where the store does not answer', async () => {
    expect(await nullReasonsWith(notStored('unavailable', 'gone'))).toMatchObject(withReason('unknown'));
  });

  it('is too short where payments cover little of thirty days', async () => {
    expect(await nullReasonsWith(stored(new Map()))).toMatchObject(withReason('past_too_short'));
  });
});

import { describe, expect, it } from 'vitest';
import type { PublishedAmount } from '../domain/amount.ts';
import type { Baseline, SeriesBucket } from '../domain/series.ts';
import { asMs, asRate } from '../domain/units.ts';
import { makeRow } from '../market/row-fixture.ts';
import { expectPublic, makePair } from './asset-fixture.ts';
import { historyOf, sampledOrSettled, sampledRates, settledRates } from './funding-historical.ts';
import { fundingFlips } from './perp-funding-flips.ts';
import { oiDelta, ownValues, pastValue } from './perp-oi-delta.ts';
import { oiHistory } from './perp-oi-history.ts';
import { volumeAnomalies } from './perp-volume-anomalies.ts';
import { volumeHistory } from './perp-volume-history.ts';
import { at, bucket, payment, question, T0, window } from './series-fixture.ts';

describe('funding history', () => {
  const shown = (buckets: readonly SeriesBucket[]) => historyOf(question, sampledRates(buckets), []);

  it('has a row per venue and bucket with a rate, and names the rest', () => {
    const { body, sources, asOf } = shown([
      bucket(),
      bucket({ start: at(1), means: { mark: { samples: 3, mean: 100 } } }),
      bucket({ venue: 'okx', start: at(1) }),
    ]);
    expect(body.venues_count).toBe(2);
    expect(body.buckets.map(({ venue, bucket_start }) => `${venue} ${bucket_start}`)).toEqual([
      'binance 2026-11-20T00:00:00.000Z',
      'okx 2026-11-20T01:00:00.000Z',
    ]);
    expect(body.buckets[0]).toMatchObject({ avg_funding_rate: 0.0001, avg_price: 100, samples: 60 });
    expect(sources).toEqual({ used: ['binance', 'okx'], missing: ['bybit'] });
    // Binance's part of the answer ends an hour before that of okx.
    expect(asOf).toBe(at(0) + 59 * 60_000);
    expectPublic(body);
  });

  it('with basis=settled counts payments', () => {
    const paid = [payment({ payments: 2, intervalHours: 4 })];
    const { body } = historyOf(question, settledRates(paid), paid);
    expect(body.buckets).toEqual([
      {
        venue: 'binance',
        venue_symbol: 'BTCUSDT',
        bucket_start: '2026-11-20T00:00:00.000Z',
        avg_funding_rate: -0.0002,
        avg_price: null,
        samples: 2,
        basis: 'settled',
        funding_interval_hours: 4,
        rate_8h: -0.0004,
        interval_reason: null,
        settled_sum: -0.0004,
        settled_payments: 2,
        origin: 'settled',
        partial: false,
      },
    ]);
  });

  it('with both bases: a payment only where no rate was sampled', () => {
    const backfilled = bucket({ start: at(1), sampled: 0, backfilled: 1, backfilledHours: 1, means: {} });
    const rows = sampledOrSettled(
      sampledRates([bucket(), backfilled]),
      settledRates([payment(), payment({ start: at(2) })]),
    );
    const { body } = historyOf(question, rows, []);
    expect(body.buckets.map(({ bucket_start, basis }) => `${bucket_start.slice(11, 13)} ${basis}`)).toEqual([
      '00 sampled',
      '02 settled',
    ]);
  });

  it('a rate as shown: per eight hours, beside what was paid', () => {
    const rated = (hour: number, over: Partial<SeriesBucket>) => bucket({ start: at(hour), ...over });
    const shown = [
      rated(0, { intervalHours: 4, intervalChanged: false }),
      rated(1, { intervalChanged: true }),
      rated(2, {}),
    ];
    const paid = [payment({ payments: 2 }), payment({ start: at(1), listedAt: asMs(1) })];
    const { buckets } = historyOf(question, sampledRates(shown), paid).body;
    expect(buckets).toMatchObject([
      { funding_interval_hours: 4, rate_8h: 0.0002, interval_reason: null, settled_sum: -0.0004 },
      { funding_interval_hours: null, rate_8h: null, interval_reason: 'interval_changed' },
      { funding_interval_hours: null, rate_8h: null, interval_reason: 'interval_unknown' },
    ]);
    // The second payment is of an earlier listing, and so of another contract.
    expect(buckets.map((row) => row.settled_payments)).toEqual([2, 0, 0]);
    expect(buckets.map((row) => row.settled_sum)).toEqual([-0.0004, null, null]);
  });

  it('marks the running bucket as partial and back-filled buckets by origin', () => {
    const known = { ...question, window: { ...window, knownTo: asMs(at(1) + 60_000) } };
    const backfilled = bucket({ backfilled: 1, backfilledHours: 1 });
    const { body } = historyOf(known, sampledRates([backfilled, bucket({ start: at(1) })]), []);
    expect(body.buckets).toMatchObject([
      { origin: 'backfilled', partial: false },
      { origin: 'sampled', partial: true },
    ]);
  });
});

describe('funding flips', () => {
  const rates = (list: readonly (number | undefined)[], over: Partial<SeriesBucket> = {}) =>
    list.map((rate, hour) =>
      bucket({ start: at(hour), lastRate: rate === undefined ? undefined : asRate(rate), ...over }),
    );
  const asked = { ...question, hours: 24, from: T0 };

  it('are changes of sign from hour to hour; a zero keeps the sign before it', () => {
    const { body } = fundingFlips(asked, rates([1, 0, -2, -3, 0, 4]), []);
    expect(body.flips).toEqual([
      {
        venue: 'binance',
        venue_symbol: 'BTCUSDT',
        origin: 'sampled',
        at: '2026-11-20T02:59:00.000Z',
        hour: '2026-11-20T02:00:00.000Z',
        rate_before: 1,
        rate_after: -2,
        direction: 'positive_to_negative',
      },
      {
        venue: 'binance',
        venue_symbol: 'BTCUSDT',
        origin: 'sampled',
        at: '2026-11-20T05:59:00.000Z',
        hour: '2026-11-20T05:00:00.000Z',
        rate_before: -3,
        rate_after: 4,
        direction: 'negative_to_positive',
      },
    ]);
    expect(body).toMatchObject({ flips_count: 2, venues_with_flips: 1 });
  });

  it('are not reported for hours before the window, nor between two listings', () => {
    const early = fundingFlips({ ...asked, from: at(3) }, rates([1, -1, -1, -1]), []);
    expect(early.body.flips_count).toBe(0);
    const listings = [...rates([1]), ...rates([undefined, -1], { listedAt: at(1) })];
    expect(fundingFlips(asked, listings, []).body.flips_count).toBe(0);
  });

  it('are dated by the time of the new sign, not by the interval start', () => {
    const paid = (hour: number, rate: number) => payment({ start: at(hour), meanRate: asRate(rate) });
    const seen = rates([1], { start: at(17), lastAt: asMs(at(17) + 40 * 60_000) });
    const { body } = fundingFlips(asked, seen, [paid(0, 1), paid(8, -1), paid(16, -1), paid(17, -5)]);
    expect(body.flips.map(({ hour, at: time, origin }) => [hour, time, origin])).toEqual([
      ['2026-11-20T08:00:00.000Z', '2026-11-20T08:00:00.000Z', 'settled'],
      ['2026-11-20T17:00:00.000Z', '2026-11-20T17:40:00.000Z', 'sampled'],
    ]);
  });
});

const UNKNOWN_SIDES: PublishedAmount = {
  field: 'contract_stats',
  unit: 'contracts',
  sides: 'unknown',
  evidence: 'none',
  date: '2026-09',
  confidence: 'low',
};

describe('open interest and volume', () => {
  it('change is of base units, and null where the past was zero', () => {
    const pair = makePair({ interestBase: 110, mark: 100 });
    const past = {
      venue: 'binance',
      symbol: pair.row.symbol,
      listedAt: asMs(0),
      at: T0,
      value: 100,
      valueUsd: 9000,
      origin: 'sampled' as const,
      spacingMs: 60_000,
    };
    const answer = oiDelta(pair, 24, 110, past);
    expect(answer.body).toMatchObject({ current_oi: 110, past_oi: 100, delta_pct: 10 });
    const none = oiDelta(pair, 24, 110, { ...past, value: 0 });
    expect(none.body.delta_pct).toBeNull();
    expect(answer.body.units_note).not.toContain('Back-filled');
    expect(ownValues([{ ...past, symbol: 'OTHER' }], pair.row, undefined)).toEqual([]);
  });

  it('is not changed from what an earlier listing of the symbol had', () => {
    const pair = makePair({ interestBase: 110, mark: 100 });
    const of = (listedAt: number) => ({
      venue: 'binance',
      symbol: pair.row.symbol,
      listedAt: asMs(listedAt),
      at: T0,
      value: 100,
      valueUsd: 9000,
      origin: 'sampled' as const,
      spacingMs: 60_000,
    });
    expect(ownValues([of(1)], pair.row, asMs(2))).toEqual([]);
    expect(ownValues([of(1), of(2)], pair.row, asMs(2))).toEqual([of(2)]);
    // Nothing is stored of the present one: then nothing tells them apart.
    expect(ownValues([of(1)], pair.row, undefined)).toEqual([of(1)]);
  });

  it('a renamed asset: before the listing its former contract counts', () => {
    const pair = makePair({ interestBase: 110, mark: 100 });
    const of = (symbol: string, listedAt: number, at: number, formerId?: string) => ({
      venue: pair.row.venue,
      symbol,
      listedAt: asMs(listedAt),
      at: asMs(at),
      value: 100,
      valueUsd: 9000,
      origin: 'sampled' as const,
      spacingMs: 60_000,
      ...(formerId !== undefined && { formerId }),
    });
    const { symbol } = pair.row;
    const former = of('OLD', 1, 10, 'crypto:OLD');
    const late = of('OLD', 1, 30, 'crypto:OLD');
    const own = of(symbol, 20, 40);
    // An outage of the present contract is not filled with what is listed beside it.
    expect(ownValues([own, late, former], pair.row, asMs(20))).toEqual([own, former]);
    expect(ownValues([late], pair.row, asMs(20))).toEqual([]);
    expect(ownValues([former], pair.row, asMs(20))).toEqual([former]);
    expect(ownValues([of(symbol, 5, 15), former], pair.row, asMs(20))).toEqual([]);
    expect(ownValues([of('OTHER', 1, 10), former], pair.row, asMs(20))).toEqual([former]);
  });

  it.each([
    ['hourly points, half an hour off: the nearest', 'backfilled', 60, 30, true],
    ['hourly points, an outage of hours: none', 'backfilled', 60, 90, false],
    ['points of a day, eleven hours off: the nearest', 'backfilled', 1440, 660, true],
    ['a single point, half an hour off: none', 'backfilled', undefined, 30, false],
    ['samples of our own, five minutes off: the nearest', 'sampled', 1, 5, true],
    ['samples of our own, an hour apart: none', 'sampled', 60, 30, false],
  ] as const)('past of a change, %s', (_, origin, spacing, off, found) => {
    const value = {
      venue: 'binance',
      symbol: 'BTCUSDT',
      listedAt: asMs(0),
      value: 1,
      valueUsd: undefined,
      origin,
      at: asMs(T0 - off * 60_000),
      spacingMs: spacing === undefined ? undefined : spacing * 60_000,
    };
    expect(pastValue([value], T0)).toBe(found ? value : undefined);
  });

  it('back-filled open interest of unknown sides: noted in both answers', () => {
    const pair = makePair({ interestBase: 110, mark: 100 });
    const info = { ...pair.venue.info, historicalOpenInterest: UNKNOWN_SIDES };
    const past = {
      venue: 'gate',
      symbol: pair.row.symbol,
      listedAt: asMs(0),
      at: T0,
      value: 100,
      valueUsd: 9000,
      origin: 'backfilled' as const,
      spacingMs: 60_000,
    };
    const said = 'Back-filled ones are of contract_stats: as published, where it is not known';
    expect(oiDelta({ ...pair, venue: { ...pair.venue, info } }, 24, 110, past).body.units_note).toContain(
      said,
    );
    const asked = { ticker: 'BTC', canonicalId: 'crypto:BTC', venue: 'gate', window, published: info };
    expect(oiHistory(asked, []).body.units_note).toContain(said);
    const unknown = { ...info, volume: UNKNOWN_SIDES };
    expect(volumeHistory({ ...asked, published: unknown }, []).body.units_note).toContain('not known');
  });

  it('histories leave out buckets without the value', () => {
    const published = makePair({}).venue.info;
    const asked = { ticker: 'BTC', canonicalId: 'crypto:BTC', venue: 'binance', window, published };
    const means = { interest: { samples: 6, mean: 5 }, volumeUsd: { samples: 7, mean: 1e6 } };
    const interest = oiHistory(asked, [bucket({ means }), bucket({ start: at(1) })]);
    expect(interest.body.buckets).toEqual([
      {
        venue: 'binance',
        venue_symbol: 'BTCUSDT',
        bucket_start: '2026-11-20T00:00:00.000Z',
        value: 5,
        value_usd: null,
        samples: 6,
        origin: 'sampled',
        partial: false,
      },
    ]);
    expect(volumeHistory(asked, [bucket({ means })]).body.buckets[0]).toMatchObject({
      value: 1e6,
      samples: 7,
    });
  });

  it('a mean volume is in US dollars, to the cent', () => {
    const published = makePair({}).venue.info;
    const asked = { ticker: 'BTC', canonicalId: 'crypto:BTC', venue: 'binance', window, published };
    const of = (mean: number) =>
      volumeHistory(asked, [bucket({ means: { volumeUsd: { samples: 7, mean } } })]).body.buckets[0];
    expect(of(1234567.8912)).toMatchObject({ value: 1234567.89 });
    expect(of(0.123456)).toMatchObject({ value: 0.1235 });
  });

  it('anomalies are judged by median and MAD, both ways, strongest first', () => {
    const row = (venue: string, volumeUsd: number, sourceId: number) =>
      makeRow({ venue, volumeUsd, sourceId });
    const rows = [row('a', 200, 1), row('b', 20, 2), row('c', 101, 3), row('d', 500, 4)];
    const baseline = (venue: string, mad: number): Baseline => ({
      venue,
      symbol: rows[0]?.symbol ?? '',
      listedAt: asMs(0),
      canonicalId: 'crypto:BTC',
      hours: 168,
      median: 100,
      mad,
    });
    const baselines = [baseline('a', 10), baseline('b', 10), baseline('c', 10), baseline('d', 0)];
    const judged = (limit: number) => {
      const found = volumeAnomalies(rows, baselines, { min_z: 3, limit }, []);
      if (!found.ok) throw new Error(found.error.detail);
      return found.value.body;
    };
    const body = judged(10);
    expect(body.anomalies.map(({ venue, direction }) => [venue, direction])).toEqual([
      ['a', 'spike'],
      ['b', 'drought'],
    ]);
    expect(body.anomalies[0]?.z_score).toBeCloseTo(100 / 14.826, 9);
    expect(body.anomalies[1]).toMatchObject({ ratio: 0.2, samples: 168 });
    expect(judged(1).count).toBe(1);
    expect(body.baselines_count).toBe(4);
  });

  it('without any baseline the answer is 404', () => {
    const rows = [makeRow({ venue: 'a', volumeUsd: 200 })];
    const found = volumeAnomalies(rows, [], { min_z: 3, limit: 10 }, []);
    expect(found).toMatchObject({ ok: false, error: { code: 'no_data' } });
  });
});

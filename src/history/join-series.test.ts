import { describe, expect, it } from 'vitest';
import type { FundingPayment, SettledBucket, SettledMean } from '../domain/series.ts';
import { asMs, asRate } from '../domain/units.ts';
import { HOUR_MS } from '../runtime/duration.ts';
import { joinPayments, joinSettled, joinSettledMeans } from './join-series.ts';

const LISTING = { canonicalId: 'crypto:NEW', venue: 'v1', symbol: 'NEWUSDT', listedAt: asMs(0) };

const payment = (hour: number, hours: number | undefined, more: Partial<FundingPayment> = {}) => ({
  ...LISTING,
  at: asMs(hour * HOUR_MS),
  rate: asRate(0.0001),
  hours,
  ...more,
});
const hoursOf = (payments: readonly FundingPayment[]) => joinPayments(payments).map(({ hours }) => hours);

describe('payments of a listing that changed its name', () => {
  it('a stated interval longer than the time since the last: cut to it', () => {
    expect(hoursOf([payment(8, 8), payment(12, 8)])).toEqual([8, 4]);
  });

  it('a stated interval within the time since the last: stays', () => {
    expect(hoursOf([payment(8, 8), payment(24, 8)])).toEqual([8, 8]);
  });

  it('no stated interval: the time since the last, of a day at most', () => {
    expect(hoursOf([payment(0, undefined), payment(8, undefined), payment(33, undefined)])).toEqual([
      undefined,
      8,
      undefined,
    ]);
  });

  it('another listing: its first payment is for what it states', () => {
    expect(hoursOf([payment(8, 8), payment(12, 8, { listedAt: asMs(9 * HOUR_MS) })])).toEqual([8, 8]);
  });
});

const bucket = (more: Partial<SettledBucket>): SettledBucket => ({
  venue: 'v1',
  symbol: 'NEWUSDT',
  listedAt: asMs(0),
  start: asMs(0),
  lastAt: asMs(HOUR_MS),
  payments: 1,
  meanRate: asRate(0.0001),
  rateSum: 0.0001,
  meanMark: 100,
  backfilled: 0,
  intervalHours: 8,
  ...more,
});

describe('a bucket that a new name cut in two', () => {
  it('is one, its means weighted by payments', () => {
    const later = bucket({
      payments: 3,
      meanRate: asRate(0.0005),
      rateSum: 0.0015,
      meanMark: 200,
      lastAt: asMs(9 * HOUR_MS),
    });
    const [joined, ...rest] = joinSettled([later, bucket({})], HOUR_MS);
    expect(rest).toEqual([]);
    expect(joined).toMatchObject({ payments: 4, lastAt: 9 * HOUR_MS, intervalHours: 8 });
    expect(joined?.meanRate).toBeCloseTo(0.0004, 12);
    expect(joined?.rateSum).toBeCloseTo(0.0016, 12);
    expect(joined?.meanMark).toBeCloseTo(175, 9);
  });

  it('intervals of both parts differ: none is stated', () => {
    expect(
      joinSettled([bucket({}), bucket({ intervalHours: 4 })], HOUR_MS)[0]?.intervalHours,
    ).toBeUndefined();
  });

  it('one part has no mark: the mark of the other', () => {
    expect(joinSettled([bucket({ meanMark: undefined }), bucket({})], HOUR_MS)[0]?.meanMark).toBe(100);
  });

  it('means of several assets: weighted by hours, each asset by itself', () => {
    const mean = (rate8h: number, hours: number, canonicalId = LISTING.canonicalId): SettledMean => ({
      ...LISTING,
      canonicalId,
      start: asMs(0),
      rate8h,
      hours,
      lastAt: asMs(0),
    });
    const joined = joinSettledMeans([mean(1, 8), mean(5, 8, 'crypto:OTHER'), mean(4, 16)]);
    expect(joined.map(({ canonicalId, rate8h, hours }) => [canonicalId, rate8h, hours])).toEqual([
      ['crypto:NEW', 3, 24],
      ['crypto:OTHER', 5, 8],
    ]);
  });
});

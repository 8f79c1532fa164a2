import { describe, expect, it } from 'vitest';
import type { SettledSpan } from '../domain/series.ts';
import { asMs } from '../domain/units.ts';
import { makeRow } from '../market/row-fixture.ts';
import { isCovered, settledMeans, spansFinder } from './funding/settled-means.ts';

const span = (days: number, over: Partial<SettledSpan> = {}): SettledSpan => ({
  ...{ days, payments: 3 * days, rateSum: 0.0003 * days, statedHours: 24 * days, unstated: 0 },
  ...over,
});
const means = (spans: readonly SettledSpan[], interval: number | undefined = 8) => {
  const row = makeRow({ interval });
  const { canonicalId, venue, symbol } = row;
  const find = spansFinder([{ canonicalId, venue, symbol, lastAt: asMs(0), spans }]);
  return settledMeans(row, find(row));
};

describe('the mean of what was paid', () => {
  it('is scaled to eight hours by the intervals that the payments were for, whatever the present one is', () => {
    // Seven days: four of hourly payments, three of payments every eight hours.
    const week = span(7, { payments: 105, rateSum: 0.0021, statedHours: 168 });
    const { rate_8h_1d, rate_8h_7d } = means([span(1), week], 1);
    expect(rate_8h_1d).toBeCloseTo(0.0001, 12);
    expect(rate_8h_7d).toBeCloseTo(0.0001, 12);
  });

  it('takes the present interval of payments that came without one', () => {
    const unstated = span(1, { statedHours: 0, unstated: 3 });
    expect(means([unstated]).rate_8h_1d).toBeCloseTo(0.0001, 12);
    const unknown = settledMeans(makeRow({ interval: undefined }), {
      ...{ canonicalId: '', venue: '', symbol: '', lastAt: asMs(0), spans: [unstated] },
    });
    expect(unknown).toMatchObject({ rate_8h_1d: null, null_reasons: { rate_8h_1d: 'interval_unknown' } });
  });

  it('is not said of a past that is too short, nor where nothing is stored', () => {
    const part = span(30, { payments: 80, statedHours: 640 });
    expect(isCovered(part, 8)).toBe(false);
    expect(isCovered({ ...part, statedHours: 648 }, 8)).toBe(true);
    expect(means([span(1), span(7), part])).toMatchObject({
      ...{ rate_8h_30d: null, null_reasons: { rate_8h_30d: 'past_too_short' } },
      last_payment_at: '1970-01-01T00:00:00.000Z',
    });
    expect(settledMeans(makeRow({}), undefined)).toMatchObject({ rate_8h_1d: null, last_payment_at: null });
  });
});

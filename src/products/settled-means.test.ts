import { describe, expect, it } from 'vitest';
import type { SettledSpan } from '../domain/series.ts';
import { asMs } from '../domain/units.ts';
import { makeRow } from '../market/row-fixture.ts';
import { isCovered, settledMeans, spansFinder } from './funding/settled-means.ts';

const span = (days: number, over: Partial<SettledSpan> = {}): SettledSpan => ({
  days,
  payments: 3 * days,
  rateSum: 0.0003 * days,
  hours: 24 * days,
  unknown: 0,
  ...over,
});
const means = (...spans: readonly SettledSpan[]) => {
  const row = makeRow({ interval: 1 });
  const { canonicalId, venue, symbol } = row;
  const find = spansFinder([{ canonicalId, venue, symbol, lastAt: asMs(0), spans }]);
  return settledMeans(find(row));
};

describe('the mean of what was paid', () => {
  it('interval changed within the span: rates over the hours of each', () => {
    // Seven days: four of hourly payments, three of payments every eight hours.
    const week = span(7, { payments: 105, rateSum: 0.0021, hours: 168 });
    const { rate_8h_1d, rate_8h_7d } = means(span(1), week);
    expect(rate_8h_1d).toBeCloseTo(0.0001, 12);
    expect(rate_8h_7d).toBeCloseTo(0.0001, 12);
  });

  it('hours of payments unknown: null, whatever the row’s interval is', () => {
    const untold = span(1, { rateSum: 0, hours: 0, unknown: 3 });
    expect(means(untold)).toMatchObject({
      rate_8h_1d: null,
      null_reasons: { rate_8h_1d: 'interval_unknown' },
    });
  });

  it('no payment under a new name yet: of the former contract paid most', () => {
    const row = makeRow({ interval: 1 });
    const { canonicalId, venue, symbol } = row;
    const former = (name: string, count: number) => {
      const spans = [span(1, { rateSum: count / 1e6, payments: count })];
      return { canonicalId, formerId: 'crypto:OLD', venue, symbol: name, lastAt: asMs(0), spans };
    };
    const list = [former('OLDUSDC', 2), former('OLDUSDT', 3), former('OLDUSD', 1)];
    expect(settledMeans(spansFinder(list)(row)).rate_8h_1d).toBeCloseTo(1e-6, 15);
    const own = { ...former(symbol, 1), formerId: undefined };
    expect(spansFinder([...list, own])(row)).toBe(own);
    expect(spansFinder(list)({ ...row, venue: 'elsewhere' })).toBeUndefined();
  });

  it('past too short, or nothing stored: null with the reason', () => {
    const part = span(30, { payments: 80, hours: 640 });
    expect(isCovered(part)).toBe(false);
    expect(isCovered({ ...part, hours: 648 })).toBe(true);
    expect(means(span(1), span(7), part)).toMatchObject({
      rate_8h_30d: null,
      null_reasons: { rate_8h_30d: 'past_too_short' },
      last_payment_at: '1970-01-01T00:00:00.000Z',
    });
    expect(settledMeans(undefined)).toMatchObject({ rate_8h_1d: null, last_payment_at: null });
  });
});

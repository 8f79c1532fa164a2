import { expect, it } from 'vitest';
import type { FundingHistory } from '../../web/data/asset.ts';
import { timeRange } from '../../web/data/series.ts';
import { fundingSeries, gapSeries } from '../../web/views/asset/history-series.ts';

type Bucket = FundingHistory['buckets'][number];
const bucket = (venue: string, basis: Bucket['basis'], avg_price: number, hour = 1): Bucket => ({
  venue,
  basis,
  avg_price,
  avg_funding_rate: 0.0001,
  funding_interval_hours: 4,
  samples: 1,
  bucket_start: `2026-11-20T0${hour}:00:00.000Z`,
});
const history: FundingHistory = {
  buckets: [
    ...[bucket('a', 'sampled', 101), bucket('b', 'sampled', 99)],
    // Paid in the same hour, at another moment of it.
    ...[bucket('a', 'settled', 150), bucket('c', 'settled', 150)],
    ...[bucket('a', 'settled', 99, 2), bucket('c', 'settled', 101, 2)],
  ],
};

it('an axis of time: a day around one alone, else what is asked for', () => {
  expect(timeRange([86_400], 86_400, 1e9)).toEqual([43_200, 129_600]);
  expect(timeRange([100, 200, 900], 100, 900)).toEqual([100, 900]);
  expect(timeRange([100, 200, 900], 150, 250)).toEqual([150, 250]);
});

it('a price gap: no hourly mean beside the mark of a settlement', () => {
  const [a, c] = gapSeries(history, ['a', 'c']);
  expect(a?.values.map((value) => Math.round(value ?? Number.NaN))).toEqual([100, -100]);
  expect(c?.values.map((value) => Math.round(value ?? Number.NaN))).toEqual([100]);
});

it('funding of a venue: steps if settled, a faint line if sampled', () => {
  const shown = fundingSeries(history, ['b', 'a']);
  expect(shown.map(({ label, colour, isSteps, isFaint }) => [label, colour, isSteps, isFaint])).toEqual([
    ['b sampled', 0, undefined, true],
    ['a settled', 1, true, undefined],
    ['a sampled', 1, undefined, true],
  ]);
  expect(shown[0]?.values).toEqual([0.0002]);
});

it('funding: scaled by its bucket’s interval, a gap without one', () => {
  const changed = {
    buckets: [
      { ...bucket('a', 'settled', 100), funding_interval_hours: 8 },
      { ...bucket('a', 'settled', 100, 2), funding_interval_hours: null },
      bucket('a', 'settled', 100, 3),
    ],
  };
  expect(fundingSeries(changed, ['a'])[0]?.values).toEqual([0.0001, null, 0.0002]);
});

import type { PerpOiHistoryAnswer } from '../../../packages/client/src/routes.ts';
import { type FundingHistory, rate8hOf } from '../../data/asset.ts';
import { type Series, seconds } from '../../data/series.ts';

type Bucket = FundingHistory['buckets'][number];

function byVenue({ buckets }: FundingHistory, venue: string, basis?: Bucket['basis']): readonly Bucket[] {
  return buckets
    .filter((bucket) => bucket.venue === venue && (basis === undefined || bucket.basis === basis))
    .sort((a, b) => a.bucket_start.localeCompare(b.bucket_start));
}

/** Funding of some venues, settled as steps and sampled as lines, fractions of eight hours; a gap where the interval is not known. */
export function fundingSeries(history: FundingHistory, venues: readonly string[]): readonly Series[] {
  return venues.flatMap((venue, colour) => {
    return (['settled', 'sampled'] as const).flatMap((basis): Series[] => {
      const buckets = byVenue(history, venue, basis);
      if (buckets.length === 0) return [];
      return [
        {
          label: `${venue} ${basis}`,
          times: buckets.map((bucket) => seconds(bucket.bucket_start)),
          values: buckets.map(rate8hOf),
          colour,
          ...(basis === 'settled' ? { isSteps: true } : { isFaint: true }),
        },
      ];
    });
  });
}

/**
 * The distance of each venue's price from the mean of all that have one at that time, bps. Where prices were
 * sampled, those alone count: a mean of an hour and the mark of a settlement in it differ by the moves of the
 * market.
 */
export function gapSeries(history: FundingHistory, venues: readonly string[]): readonly Series[] {
  const sampledAt = new Set(
    history.buckets.flatMap((bucket) =>
      bucket.basis === 'sampled' && bucket.avg_price !== null ? [bucket.bucket_start] : [],
    ),
  );
  const buckets = history.buckets.filter(
    ({ basis, bucket_start }) => basis === 'sampled' || !sampledAt.has(bucket_start),
  );
  const means = new Map<string, { sum: number; count: number }>();
  for (const { bucket_start, avg_price } of buckets) {
    if (avg_price === null) continue;
    const mean = means.get(bucket_start) ?? { sum: 0, count: 0 };
    means.set(bucket_start, { sum: mean.sum + avg_price, count: mean.count + 1 });
  }
  const gap = ({ bucket_start, avg_price }: Bucket): number | null => {
    const mean = means.get(bucket_start);
    // The distance of a price from itself says nothing.
    if (avg_price === null || mean === undefined || mean.count < 2) return null;
    return (avg_price / (mean.sum / mean.count) - 1) * 10_000;
  };
  return venues.map((venue) => {
    const own = byVenue({ ...history, buckets }, venue);
    return { label: venue, times: own.map((bucket) => seconds(bucket.bucket_start)), values: own.map(gap) };
  });
}

/** Open interest or volume of some venues, USD. */
export function valueSeries(histories: readonly PerpOiHistoryAnswer[]): readonly Series[] {
  return histories.map(({ venue, buckets }) => ({
    label: venue,
    times: buckets.map((bucket) => seconds(bucket.bucket_start)),
    values: buckets.map((bucket) => (bucket.value_usd === undefined ? bucket.value : bucket.value_usd)),
  }));
}

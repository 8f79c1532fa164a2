import { iso } from '../domain/clock.ts';
import type { SeriesBucket, SettledBucket } from '../domain/series.ts';
import { asMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { Fact } from './fact.ts';
import { pastAsOf } from './past-as-of.ts';
import { type Aggregation, leadingBuckets, type PastWindow, samplesOf } from './past-window.ts';

export type HistoryBasis = 'sampled' | 'settled';

/** Rates as fractions per interval, prices in quote currency per base unit. */
export interface FundingHistorical {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly aggregation: Aggregation;
  readonly window_start: string;
  readonly window_end: string;
  readonly venues_count: number;
  readonly buckets: readonly FundingBucket[];
  readonly note: string;
}

export interface FundingBucket {
  readonly venue: string;
  readonly bucket_start: string;
  readonly avg_funding_rate: number;
  readonly avg_price: number | null;
  /** Values that the mean rate is of. */
  readonly samples: number;
  readonly basis: HistoryBasis;
}

const NOTE =
  'Raw rates, fractions per funding interval of each venue. sampled: mean of the rates shown during the bucket, one sample a minute, an hour without one told by the venue afterwards; settled: mean of the payments in the bucket, at their settlement times. Window ends are floored to the bucket; the end is not included. No spread or signal logic, not a profit forecast.';

export interface PastQuestion {
  readonly ticker: string;
  readonly canonicalId: string;
  readonly window: PastWindow;
  readonly listedBy: readonly VenueId[];
}

/** avg_funding_rate = mean of the samples with a rate, avg_price = mean mark, by venue and bucket. */
export function fundingHistorical(
  question: PastQuestion,
  buckets: readonly SeriesBucket[],
): Fact<FundingHistorical> {
  const rows = leadingBuckets(buckets, samplesOf).flatMap((bucket) => {
    const { rate, mark } = bucket.means;
    if (rate === undefined) return [];
    const { mean, samples } = rate;
    return [{ bucket, rate: mean, price: mark?.mean ?? null, samples }];
  });
  return historyOf(question, rows, 'sampled');
}

/** The same of what was paid: avg_price is the mean of the marks that came with the payments. */
export function fundingSettled(
  question: PastQuestion,
  buckets: readonly SettledBucket[],
): Fact<FundingHistorical> {
  const rows = leadingBuckets(buckets, ({ payments }) => payments).map((bucket) => ({
    bucket,
    rate: bucket.meanRate,
    price: bucket.meanMark ?? null,
    samples: bucket.payments,
  }));
  return historyOf(question, rows, 'settled');
}

interface Row {
  readonly bucket: { readonly venue: string; readonly start: number; readonly lastAt: number };
  readonly rate: number;
  readonly price: number | null;
  readonly samples: number;
}

function historyOf(
  { ticker, canonicalId, window, listedBy }: PastQuestion,
  rows: readonly Row[],
  basis: HistoryBasis,
): Fact<FundingHistorical> {
  const used = [...new Set(rows.map(({ bucket }) => bucket.venue))];
  const body: FundingHistorical = {
    ticker,
    canonical_id: canonicalId,
    aggregation: window.aggregation,
    window_start: iso(window.from),
    window_end: iso(window.to),
    venues_count: used.length,
    buckets: rows.map(({ bucket, rate, price, samples }) => ({
      venue: bucket.venue,
      bucket_start: iso(asMs(bucket.start)),
      avg_funding_rate: rate,
      avg_price: price,
      samples,
      basis,
    })),
    note: NOTE,
  };
  return {
    body,
    asOf: pastAsOf(rows.map(({ bucket }) => bucket)),
    sources: { used, missing: listedBy.filter((venue) => !used.includes(venue)) },
  };
}

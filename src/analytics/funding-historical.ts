import { iso } from '../domain/clock.ts';
import type { SeriesBucket, SettledBucket } from '../domain/series.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { historyAsOf } from './history-as-of.ts';
import {
  type Aggregation,
  type HistoryWindow,
  isPartial,
  leadingBuckets,
  type Origin,
  originOf,
  samplesOf,
} from './history-window.ts';
import type { ProductAnswer } from './product-answer.ts';

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
  readonly venue_symbol: string;
  readonly bucket_start: string;
  readonly avg_funding_rate: number;
  readonly avg_price: number | null;
  /** Values that the mean rate is of. */
  readonly samples: number;
  readonly basis: HistoryBasis;
  readonly origin: Origin;
  /** The bucket goes on. */
  readonly partial: boolean;
}

const NOTE =
  'Raw rates, fractions per funding interval of each venue. sampled: mean of the rates shown during the bucket, one sample a minute; settled: mean of the payments in the bucket, at their settlement times. A payment stands in the bucket in which it was paid, never in the hours before it; without basis, it stands where no rate was sampled. origin backfilled: told by the venue afterwards of a moment at which it was known. Window ends are floored to the bucket; the end is not included; a bucket that goes on is partial. No spread or signal logic, not a profit forecast.';

export interface HistoryQuery {
  readonly ticker: string;
  readonly canonicalId: string;
  readonly window: HistoryWindow;
  readonly listedBy: readonly VenueId[];
}

/** A bucket with its rate. */
export interface FundingRow {
  readonly venue: VenueId;
  readonly symbol: string;
  readonly listedAt: UnixMs;
  readonly start: UnixMs;
  readonly lastAt: UnixMs;
  readonly rate: number;
  readonly price: number | null;
  readonly samples: number;
  readonly basis: HistoryBasis;
  readonly origin: Origin;
}

/** Mean of the samples with a rate, and mean mark, by venue and bucket. */
export function sampledRates(buckets: readonly SeriesBucket[]): readonly FundingRow[] {
  return leadingBuckets(buckets, samplesOf).flatMap((bucket): readonly FundingRow[] => {
    const { venue, symbol, listedAt, start, lastAt, means } = bucket;
    if (means.rate === undefined) return [];
    const { mean: rate, samples } = means.rate;
    const price = means.mark?.mean ?? null;
    const origin = originOf(bucket);
    return [{ venue, symbol, listedAt, start, lastAt, rate, price, samples, basis: 'sampled', origin }];
  });
}

/** The same of what was paid: the price is the mean of the marks that came with the payments. */
export function settledRates(buckets: readonly SettledBucket[]): readonly FundingRow[] {
  return leadingBuckets(buckets, ({ payments }) => payments).map(
    ({ venue, symbol, listedAt, start, lastAt, meanRate, meanMark, payments }) => ({
      ...{ venue, symbol, listedAt, start, lastAt, rate: meanRate, price: meanMark ?? null },
      ...{ samples: payments, basis: 'settled', origin: 'settled' },
    }),
  );
}

/** Rates as shown, and payments in the buckets of a venue in which none was seen. */
export function sampledOrSettled(
  shown: readonly FundingRow[],
  paid: readonly FundingRow[],
): readonly FundingRow[] {
  return leadingBuckets([...shown, ...paid], ({ basis }) => (basis === 'sampled' ? 1 : 0));
}

/** avg_funding_rate, avg_price by venue and bucket. */
export function fundingHistorical(
  { ticker, canonicalId, window, listedBy }: HistoryQuery,
  rows: readonly FundingRow[],
): ProductAnswer<FundingHistorical> {
  const used = [...new Set(rows.map(({ venue }) => venue))];
  const body: FundingHistorical = {
    ticker,
    canonical_id: canonicalId,
    aggregation: window.aggregation,
    window_start: iso(window.from),
    window_end: iso(window.to),
    venues_count: used.length,
    buckets: rows.map(({ venue, symbol, start, rate, price, samples, basis, origin }) => ({
      venue,
      venue_symbol: symbol,
      bucket_start: iso(start),
      avg_funding_rate: rate,
      avg_price: price,
      samples,
      basis,
      origin,
      partial: isPartial(window, start),
    })),
    note: NOTE,
  };
  const missing = listedBy.filter((venue) => !used.includes(venue));
  return { body, asOf: historyAsOf(rows), sources: { used, missing } };
}

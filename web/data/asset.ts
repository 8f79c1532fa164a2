import type {
  FundingHistoricalAnswer,
  OrderbookMultiVenueSlippageAnswer,
  PerpSnapshotAnswer,
} from '../../packages/client/src/routes.ts';

/** One venue's contract of an asset. */
export type SnapshotVenue = PerpSnapshotAnswer['venues'][number];

/** A venue's book as a size would find it. */
export type SizedBook = OrderbookMultiVenueSlippageAnswer['venues'][number];

/** Past funding, as far as it is drawn and added up. */
export interface FundingHistory {
  readonly buckets: readonly Pick<
    FundingHistoricalAnswer['buckets'][number],
    | 'venue'
    | 'bucket_start'
    | 'avg_funding_rate'
    | 'avg_price'
    | 'funding_interval_hours'
    | 'samples'
    | 'basis'
  >[];
}

/** Funding of a bucket as a fraction of eight hours, by the interval of then; null where that is not known. */
export function rate8hOf(
  bucket: Pick<FundingHistory['buckets'][number], 'avg_funding_rate' | 'funding_interval_hours'>,
): number | null {
  const { avg_funding_rate: rate, funding_interval_hours: hours } = bucket;
  return rate === null || hours === null ? null : (rate * 8) / hours;
}

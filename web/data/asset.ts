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
    'venue' | 'bucket_start' | 'avg_funding_rate' | 'avg_price' | 'samples' | 'basis'
  >[];
}

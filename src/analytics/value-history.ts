import { iso } from '../domain/clock.ts';
import type { SeriesBucket } from '../domain/series.ts';
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

/** Mean of a value by bucket on one venue. */
export interface ValueHistory {
  readonly ticker: string;
  readonly venue: string;
  readonly canonical_id: string;
  readonly aggregation: Aggregation;
  readonly window_start: string;
  readonly window_end: string;
  readonly buckets: readonly ValueBucket[];
  readonly units_note: string;
  /** What was stored wrong within the window; absent where nothing was. */
  readonly corrections?: readonly ValueCorrection[];
}

export interface ValueCorrection {
  /** What the stored value is times; null where it cannot be known, so that it is left out. */
  readonly factor: number | null;
  readonly recorded_before: string;
  readonly known_at: string;
  readonly reason: string;
}

export interface ValueBucket {
  readonly venue: string;
  readonly venue_symbol: string;
  readonly bucket_start: string;
  readonly value: number;
  readonly value_usd?: number | null;
  readonly samples: number;
  readonly origin: Origin;
  /** The bucket goes on. */
  readonly partial: boolean;
}

export interface ValueHistoryQuery {
  readonly ticker: string;
  readonly canonicalId: string;
  readonly venue: string;
  readonly window: HistoryWindow;
}

const INTEREST_NOTE =
  'value is the mean open interest of the bucket in units of the base asset, value_usd its mean notional in US dollars.';
const VOLUME_NOTE = 'value is the mean over the bucket of the rolling 24-hour volume, in US dollars.';

/** Mean open interest by bucket, base units and US dollars. */
export function oiHistory(
  question: ValueHistoryQuery,
  buckets: readonly SeriesBucket[],
): ProductAnswer<ValueHistory> {
  return historyOf(question, buckets, INTEREST_NOTE, ({ means: { interest, interestUsd } }) =>
    interest === undefined
      ? undefined
      : { value: interest.mean, value_usd: interestUsd?.mean ?? null, samples: interest.samples },
  );
}

/** Mean of the rolling 24 h volume by bucket, US dollars. */
export function volumeHistory(
  question: ValueHistoryQuery,
  buckets: readonly SeriesBucket[],
): ProductAnswer<ValueHistory> {
  return historyOf(question, buckets, VOLUME_NOTE, ({ means: { volumeUsd } }) =>
    volumeUsd === undefined ? undefined : { value: volumeUsd.mean, samples: volumeUsd.samples },
  );
}

function historyOf(
  { ticker, canonicalId, venue, window }: ValueHistoryQuery,
  buckets: readonly SeriesBucket[],
  note: string,
  read: (bucket: SeriesBucket) => Pick<ValueBucket, 'value' | 'value_usd' | 'samples'> | undefined,
): ProductAnswer<ValueHistory> {
  const rows = leadingBuckets(buckets, samplesOf).flatMap((bucket) => {
    const value = read(bucket);
    return value === undefined ? [] : [{ bucket, value }];
  });
  const body: ValueHistory = {
    ticker,
    venue,
    canonical_id: canonicalId,
    aggregation: window.aggregation,
    window_start: iso(window.from),
    window_end: iso(window.to),
    buckets: rows.map(({ bucket, value }) => ({
      venue,
      venue_symbol: bucket.symbol,
      bucket_start: iso(bucket.start),
      ...value,
      origin: originOf(bucket),
      partial: isPartial(window, bucket.start),
    })),
    units_note: note,
  };
  const asOf = historyAsOf(rows.map(({ bucket }) => bucket));
  return { body, asOf, sources: { used: rows.length > 0 ? [venue] : [], missing: [] } };
}

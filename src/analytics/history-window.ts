import type { SeriesBucket } from '../domain/series.ts';
import type { UnixMs } from '../domain/units.ts';
import { HOUR_MS } from '../runtime/duration.ts';

/** Bucket widths that history is asked for in. */
export const AGGREGATIONS = ['1h', '4h', '1d'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

export const AGGREGATION_MS: Readonly<Record<Aggregation, number>> = {
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': 24 * HOUR_MS,
};

/** A span of whole buckets: from included, to not. */
export interface HistoryWindow {
  readonly aggregation: Aggregation;
  readonly from: UnixMs;
  readonly to: UnixMs;
  /** Now, or the moment of which an answer is asked: a bucket that ends later is partial. */
  readonly knownTo: UnixMs;
}

interface Sampled {
  readonly venue: string;
  readonly symbol: string;
  readonly listedAt: UnixMs;
  readonly start: UnixMs;
}

/**
 * One contract per venue and bucket: where two of them stood for the asset within a bucket, the one that was sampled
 * more, of equals the one that was listed later. Their values are never mixed.
 *
 * @param weightOf samples of a bucket
 * @returns by venue, then by time
 */
export function leadingBuckets<Bucket extends Sampled>(
  buckets: readonly Bucket[],
  weightOf: (bucket: Bucket) => number,
): readonly Bucket[] {
  const leading = new Map<string, Bucket>();
  for (const bucket of buckets) {
    const key = `${bucket.venue}\t${bucket.start}`;
    const held = leading.get(key);
    const more = held === undefined ? 1 : weightOf(bucket) - weightOf(held);
    if (more > 0 || (more === 0 && held !== undefined && bucket.listedAt > held.listedAt)) {
      leading.set(key, bucket);
    }
  }
  return [...leading.values()].sort((a, b) =>
    a.venue === b.venue ? a.start - b.start : a.venue < b.venue ? -1 : 1,
  );
}

/** How the values of a bucket became known: sampled by this service, paid, or told by the venue afterwards. */
export const ORIGINS = ['sampled', 'settled', 'backfilled'] as const;
export type Origin = (typeof ORIGINS)[number];

/** A bucket of which any hour was told afterwards says so. */
export const originOf = ({ backfilled }: Pick<SeriesBucket, 'backfilled'>): Origin =>
  backfilled > 0 ? 'backfilled' : 'sampled';

/** Whether a bucket goes on after the moment up to which is known. */
export const isPartial = ({ aggregation, knownTo }: HistoryWindow, start: number): boolean =>
  start + AGGREGATION_MS[aggregation] > knownTo;

/** Samples of a bucket, taken or told afterwards. */
export const samplesOf = ({ sampled, backfilled }: SeriesBucket): number => sampled + backfilled;

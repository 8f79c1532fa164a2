import { iso } from '../../domain/clock.ts';
import type { SeriesBucket } from '../../domain/series.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { boolean, oneOf, timestamp, venueName } from '../answer/schema.ts';
import { contractFields } from '../rows/contract-name.ts';

/** Bucket widths that history is asked for in. */
export const AGGREGATIONS = ['1h', '4h', '1d'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

export const AGGREGATION_MS: Readonly<Record<Aggregation, number>> = {
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': 24 * HOUR_MS,
};

export const aggregationParameter = oneOf(AGGREGATIONS, { description: 'Bucket width', default: '1h' });
export const aggregationName = oneOf(AGGREGATIONS, { description: 'Width of a bucket' });

/** A span of whole buckets: from included, to not. */
export interface HistoryWindow {
  readonly aggregation: Aggregation;
  readonly from: UnixMs;
  readonly to: UnixMs;
  /** Now, or the moment of which an answer is asked: a bucket that ends later is partial. */
  readonly knownTo: UnixMs;
}

/** The window of an answer. */
export const windowFields = {
  aggregation: aggregationName,
  window_start: timestamp('Start of the window'),
  window_end: timestamp('End of the window, not included; now, or as_of, where it goes on'),
};

/** The end of the part of a window that has passed. */
export const passedEnd = ({ to, knownTo }: Pick<HistoryWindow, 'to' | 'knownTo'>): UnixMs =>
  asMs(Math.min(to, knownTo));

/** The end of a window as an answer states it: an answer covers nothing that is still to come. */
export const statedEnd = (window: Pick<HistoryWindow, 'to' | 'knownTo'>): string => iso(passedEnd(window));

export const statedWindow = (window: HistoryWindow) => ({
  aggregation: window.aggregation,
  window_start: iso(window.from),
  window_end: statedEnd(window),
});

export const bucketSymbol = contractFields.venue_symbol;

/** The contract and time of a bucket's value. */
export const bucketFields = {
  venue: venueName,
  venue_symbol: bucketSymbol,
  bucket_start: timestamp('Start of the bucket'),
};

/** Order by venue, then by time. */
export function byVenueAndTime(
  a: { readonly venue: string; readonly start: number },
  b: { readonly venue: string; readonly start: number },
): number {
  return a.venue === b.venue ? a.start - b.start : a.venue < b.venue ? -1 : 1;
}

/** The origin of a bucket's values: sampled by this service, paid, or reported by the venue afterwards. */
export const ORIGINS = ['sampled', 'settled', 'backfilled'] as const;
export type Origin = (typeof ORIGINS)[number];

export const originName = oneOf(ORIGINS, {
  description:
    'sampled: seen by this service, one sample a minute; settled: paid; backfilled: at least one hour reported by the venue afterwards, of a moment at which it was known',
});

/** A bucket of which any hour was reported afterwards says so. */
export const originOf = ({ backfilled }: Pick<SeriesBucket, 'backfilled'>): Origin =>
  backfilled > 0 ? 'backfilled' : 'sampled';

export const partialBucket = boolean('The bucket goes on, or went on at the time of as_of');

/** True if a bucket goes on after the moment up to which values are known. */
export const isPartial = ({ aggregation, knownTo }: HistoryWindow, start: number): boolean =>
  start + AGGREGATION_MS[aggregation] > knownTo;

/** Samples of a bucket, taken or reported afterwards. */
export const samplesOf = ({ sampled, backfilled }: SeriesBucket): number => sampled + backfilled;

/**
 * The moment to which an answer about the past is whole: of each venue the newest sample, of these the oldest.
 * Undefined without samples.
 */
export function historyAsOf(
  buckets: readonly { readonly venue: string; readonly lastAt: number }[],
): UnixMs | undefined {
  const newest = new Map<string, number>();
  for (const { venue, lastAt } of buckets) {
    newest.set(venue, Math.max(newest.get(venue) ?? lastAt, lastAt));
  }
  return newest.size === 0 ? undefined : asMs(Math.min(...newest.values()));
}

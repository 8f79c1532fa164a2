import Type, { type Static } from 'typebox';
import type { BookSample, Mean, SeriesBucket, SettledBucket } from '../../domain/series.ts';
import type { UnixMs } from '../../domain/units.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { number } from '../answer/schema.ts';
import { AGGREGATION_MS, byVenueAndTime, type HistoryWindow, originOf } from './buckets.ts';
import type { IntervalRate } from './interval-fields.ts';

/** The scope of a backtest's buckets. */

export interface BacktestQuestion {
  readonly venue: string;
  readonly ticker: string;
  readonly canonicalId: string;
  readonly window: HistoryWindow;
  readonly includeFunding: boolean;
  readonly includeOrderbook: boolean;
}

const percentOf = (what: string) => number(`Of ${what}, percent of the minutes passed`);

/** Percent of the minutes that have passed of which a column says something. */
export const completenessSchema = Type.Object({
  funding: Type.Optional(percentOf('funding_rate')),
  price: percentOf('perp_price'),
  book: Type.Optional(percentOf('the order-book fields, all of them')),
});
type Completeness = Static<typeof completenessSchema>;

/** The known content of a bucket: samples, payments, or both, of one contract. */
export interface KnownBucket {
  readonly venue: string;
  readonly symbol: string;
  readonly listedAt: UnixMs;
  readonly start: UnixMs;
  readonly lastAt: UnixMs;
  readonly samples: SeriesBucket | undefined;
  readonly paid: SettledBucket | undefined;
}

/**
 * Puts what is known of each bucket together, by time.
 *
 * @param buckets of one contract, as `storedSeries` has them
 * @param payments of the same contract
 */
export function knownBuckets(
  buckets: readonly SeriesBucket[],
  payments: readonly SettledBucket[],
): readonly KnownBucket[] {
  const paid = new Map<number, SettledBucket>(payments.map((ofBucket) => [ofBucket.start, ofBucket]));
  const seen = new Set<number>(buckets.map(({ start }) => start));
  const sampled = buckets.map((samples): KnownBucket => {
    const { venue, symbol, listedAt, start, lastAt } = samples;
    return { venue, symbol, listedAt, start, lastAt, samples, paid: paid.get(start) };
  });
  const unsampled = payments
    .filter(({ start }) => !seen.has(start))
    .map((ofBucket): KnownBucket => {
      const { venue, symbol, listedAt, start, lastAt } = ofBucket;
      return { venue, symbol, listedAt, start, lastAt, samples: undefined, paid: ofBucket };
    });
  return [...sampled, ...unsampled].sort(byVenueAndTime);
}

/** The rate of a bucket: as shown, or where none was seen as paid in it, which was known no earlier. */
export function fundingOf({ samples, paid }: KnownBucket) {
  const rate = samples?.means.rate;
  if (samples !== undefined && rate !== undefined) {
    const { mean, samples: count } = rate;
    return { funding_rate: mean, funding_samples: count, funding_source: originOf(samples) };
  }
  if (paid === undefined) return { funding_rate: null, funding_samples: 0, funding_source: null };
  return {
    funding_rate: paid.meanRate,
    funding_samples: paid.payments,
    funding_source: 'settled' as const,
  };
}

/** The rate of a bucket with its interval: of the rates as shown, or where none was seen of the payments in it. */
export function intervalOf({ samples, paid }: KnownBucket): IntervalRate {
  const shown = samples?.means.rate;
  const { intervalHours, intervalChanged } = (shown === undefined ? paid : samples) ?? {};
  return { rate: shown?.mean ?? paid?.meanRate, intervalHours, intervalChanged };
}

export const isWhole = (book: BookSample): boolean =>
  Object.values(book).every((figure) => figure !== undefined);

/** Minutes of [from, to) that have passed: of a bucket that has begun at least one. */
export function passedMinutes({ aggregation, knownTo }: HistoryWindow, from: number, to: number): number {
  const stepMs = AGGREGATION_MS[aggregation];
  let minutes = 0;
  for (let start = from; start < to && start <= knownTo; start += stepMs) {
    const end = Math.min(start + stepMs, knownTo);
    minutes += Math.max(1, Math.floor((end - start) / MINUTE_MS));
  }
  return minutes;
}

/** Of so many minutes, in percent to two decimals; 100 only where nothing is missing. */
export function completenessOf(
  { window, includeFunding, includeOrderbook }: BacktestQuestion,
  rows: readonly KnownBucket[],
  expected: number,
): Completeness {
  const step = AGGREGATION_MS[window.aggregation];
  const share = (minutesOf: (row: KnownBucket, passed: number) => number): number => {
    const covered = rows.reduce((sum, row) => {
      const passed = passedMinutes(window, row.start, row.start + step);
      return sum + Math.min(passed, minutesOf(row, passed));
    }, 0);
    // Of a bucket that begins after `as_of` nothing was to be known.
    return expected === 0 ? 0 : Math.floor((covered * 10_000) / expected) / 100;
  };
  const minutes = (mean: Mean | undefined): number => mean?.minutes ?? mean?.samples ?? 0;
  return {
    ...(includeFunding && {
      funding: share(({ samples, paid }, passed) =>
        samples?.means.rate === undefined && paid !== undefined ? passed : minutes(samples?.means.rate),
      ),
    }),
    price: share(({ samples }) => minutes(samples?.means.mark)),
    ...(includeOrderbook && {
      book: share(({ samples }, passed) => (samples?.book && isWhole(samples.book) ? passed : 0)),
    }),
  };
}

export const leastOf = (completeness: Completeness): number => Math.min(...Object.values(completeness));

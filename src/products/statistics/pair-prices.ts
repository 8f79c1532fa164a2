import type { SeriesBucket } from '../../domain/series.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { type HoursRead, stillHolds } from '../../history/hours-read.ts';
import { sinceListing } from '../../history/since-listing.ts';
import type { MarketRow } from '../../market/view.ts';
import { HOUR_MS, HOURS_A_DAY } from '../../runtime/duration.ts';
import type { HistoryQueries } from '../define-product.ts';
import { quantile } from './statistics.ts';

/** Whole hours before the present one whose prices are looked at. */
export const PRICE_HOURS = 7 * HOURS_A_DAY;
/** Quantiles between which a ratio usually is. */
const LOW = 0.1;
const HIGH = 0.9;
/** Pairs whose ratios are kept: several times as many as one answer has. */
const MAX_PAIRS = 1000;

/** Two contracts of one asset: the one sold, the other bought. */
export interface PricedPair {
  readonly short: MarketRow;
  readonly long: MarketRow;
}

/** Price of the short leg over that of the long leg, each in its own quote currency, over the hours that are known. */
export interface RatioRange {
  readonly hours: number;
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** The ratios of one pair by mids of stored books, and by mean marks; undefined where no hour is known of both legs. */
export interface PairPrices {
  readonly mid: RatioRange | undefined;
  readonly mark: RatioRange | undefined;
}

/** The past prices of some pairs; undefined of a pair where the store did not answer. */
export type PricesOfPair = (pair: PricedPair) => PairPrices | undefined;

type BucketReader = Pick<HistoryQueries, 'buckets'>;

interface Kept extends HoursRead {
  readonly prices: PairPrices;
}

/** These ranges go with the store's reader. */
const kept = new WeakMap<BucketReader, Map<string, Kept>>();

const keyOf = ({ short, long }: PricedPair): string =>
  `${short.canonicalId}\t${short.venue}\t${short.symbol}\t${long.venue}\t${long.symbol}`;

/**
 * Reads the hours of the last seven days of some pairs, one asset after another: the store has others to answer, too. A
 * pair whose marks have no holes is read at most once an hour; books of hours that are over come from nowhere later.
 */
export async function readPairPrices(
  reader: BucketReader,
  pairs: readonly PricedPair[],
  now: UnixMs,
): Promise<PricesOfPair> {
  const to = asMs(Math.floor(now / HOUR_MS) * HOUR_MS);
  const known = kept.get(reader) ?? new Map<string, Kept>();
  kept.set(reader, known);
  // Found ones are held for this answer: another one may let them go meanwhile.
  const found = new Map<string, PairPrices>();
  for (const pair of pairs) {
    const key = keyOf(pair);
    const held = known.get(key);
    const read = stillHolds(held, to, now) ? held : await readPair(reader, pair, to, now);
    if (read === undefined) continue;
    found.set(key, read.prices);
    known.delete(key);
    known.set(key, read);
  }
  for (const key of known.keys()) {
    if (known.size <= MAX_PAIRS) break;
    known.delete(key);
  }
  return (pair) => found.get(keyOf(pair));
}

async function readPair(
  reader: BucketReader,
  { short, long }: PricedPair,
  to: UnixMs,
  at: UnixMs,
): Promise<Kept | undefined> {
  const scope = { canonicalId: short.canonicalId, venues: [short.venue, long.venue] };
  const from = asMs(to - PRICE_HOURS * HOUR_MS);
  const read = await reader.buckets({ ...scope, from, to }, { measures: ['mark'], book: true }, HOUR_MS);
  if (!read.ok) return undefined;
  const prices = pairPrices(sinceListing(read.value, short), sinceListing(read.value, long));
  return { to, at, isWhole: prices.mark?.hours === PRICE_HOURS, prices };
}

const midOf = ({ book }: SeriesBucket): number | undefined => book && (book.bestBid + book.bestAsk) / 2;
const markOf = ({ means }: SeriesBucket): number | undefined => means.mark?.mean;

/** Ratios of two contracts hour by hour; hours of which one leg is not known do not count. */
export function pairPrices(short: readonly SeriesBucket[], long: readonly SeriesBucket[]): PairPrices {
  const byHour = new Map(long.map((bucket) => [bucket.start, bucket]));
  const rangeOf = (priceOf: (bucket: SeriesBucket) => number | undefined): RatioRange | undefined => {
    const ratios = short.flatMap((bucket) => {
      const other = byHour.get(bucket.start);
      const sold = priceOf(bucket);
      const bought = other && priceOf(other);
      return sold === undefined || bought === undefined || !(bought > 0) ? [] : [sold / bought];
    });
    const sorted = Float64Array.from(ratios).sort();
    const low = quantile(sorted, LOW);
    const median = quantile(sorted, 0.5);
    const high = quantile(sorted, HIGH);
    if (low === undefined || median === undefined || high === undefined) return undefined;
    return { hours: sorted.length, low, median, high };
  };
  return { mid: rangeOf(midOf), mark: rangeOf(markOf) };
}

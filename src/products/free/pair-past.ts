import { ok, type Result } from '../../domain/errors.ts';
import type { BookSample, SeriesBucket } from '../../domain/series.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { paidSinceListing, sinceListing } from '../../history/since-listing.ts';
import type { PastRow } from '../../market/delayed-table.ts';
import { DAY_MS, HOUR_MS, HOURS_A_DAY } from '../../runtime/duration.ts';
import type { HistoryQueries } from '../define-product.ts';
import { fromStore } from '../history/stored.ts';
import { longestWindow } from '../statistics/history-window.ts';
import { type HourlyRates, hourlyRates, hourlySpread, lastHours } from '../statistics/hourly-rates.ts';
import type { WorkedPair } from './worked-pair.ts';

/** Days of the past that are shown one by one. */
const DAYS = 30;
const WEEK_HOURS = 7 * HOURS_A_DAY;

/** The past of a pair, from what is stored. */
export interface PairPast {
  /** The settled spread, hour by hour, of the longest window. */
  readonly hours: HourlyRates;
  /** Funding paid to the short leg less that of the long one each whole day in UTC, bps; null where an hour is not known. */
  readonly days: readonly { readonly start: UnixMs; readonly bps: number | null }[];
  /** The last books that were stored in this hour or the one before. */
  readonly shortBook: BookSample | undefined;
  readonly longBook: BookSample | undefined;
}

/** Reads the past of a pair as it was known at a moment. */
async function pairPast(
  reader: HistoryQueries,
  { short, long }: WorkedPair,
  then: UnixMs,
): Promise<Result<PairPast>> {
  const { canonicalId } = short;
  const venues = [short.venue, long.venue];
  const { from, to } = longestWindow(then);
  const hour = asMs(Math.floor(then / HOUR_MS) * HOUR_MS);
  // Samples that were recorded after the moment are younger than the delay.
  const window = { canonicalId, venues, from: asMs(hour - HOUR_MS), to: asMs(hour + HOUR_MS), asOf: then };
  const [paid, sampled] = await Promise.all([
    reader.fundingPayments({ canonicalIds: [canonicalId], venues, from, to, asOf: then }),
    reader.buckets(window, { measures: [], book: true }, HOUR_MS),
  ]);
  const payments = fromStore(paid);
  if (!payments.ok) return payments;
  const buckets = fromStore(sampled);
  if (!buckets.ok) return buckets;
  const past = (row: PastRow): HourlyRates => hourlyRates(paidSinceListing(payments.value, row), from, to);
  const hours = hourlySpread(past(short), past(long));
  return ok({
    hours,
    days: wholeDays(hours, then),
    shortBook: bookOf(buckets.value, short),
    longBook: bookOf(buckets.value, long),
  });
}

/** A pair with what is stored of it. */
export interface ToldPair {
  readonly pair: WorkedPair;
  readonly past: PairPast;
}

/**
 * The first pair that has both books and six of the last seven days: an example shows what a pair costs and paid. The
 * first of all where none has; undefined where there is no pair.
 */
export async function firstTold(
  reader: HistoryQueries,
  pairs: readonly WorkedPair[],
  then: UnixMs,
): Promise<Result<ToldPair | undefined>> {
  let first: ToldPair | undefined;
  for (const pair of pairs) {
    const past = await pairPast(reader, pair, then);
    if (!past.ok) return past;
    const told = { pair, past: past.value };
    if (isTold(told.past)) return ok(told);
    first ??= told;
  }
  return ok(first);
}

function isTold({ hours, shortBook, longBook }: PairPast): boolean {
  if (shortBook === undefined || longBook === undefined) return false;
  return lastHours(hours, WEEK_HOURS).known >= WEEK_HOURS - HOURS_A_DAY;
}

const bookOf = (buckets: readonly SeriesBucket[], row: PastRow): BookSample | undefined =>
  sinceListing(buckets, row).at(-1)?.book;

function wholeDays({ from, rates }: HourlyRates, then: UnixMs): PairPast['days'] {
  const end = Math.floor(then / DAY_MS) * DAY_MS;
  return Array.from({ length: DAYS }, (_, at) => {
    const start = asMs(end - (DAYS - at) * DAY_MS);
    const first = (start - from) / HOUR_MS;
    const day = rates.subarray(first, first + HOURS_A_DAY);
    const sum = day.reduce((total, rate) => total + rate, 0);
    return { start, bps: Number.isNaN(sum) ? null : sum * 10_000 };
  });
}

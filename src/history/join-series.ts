import type {
  FundingPayment,
  HistoricalValue,
  Listing,
  Mean,
  Measure,
  SeriesBucket,
  SettledBucket,
  SettledMean,
} from '../domain/series.ts';
import { asBase, asMs, asPrice, asRate, type Price } from '../domain/units.ts';
import type { MarketRow } from '../market/view.ts';
import { DAY_MS, HOUR_MS } from '../runtime/duration.ts';

/**
 * Values of a former unit in the present one. `factor` is present units in one unit of then: a price is divided by it, an
 * amount of base units multiplied. Rates, US dollars and basis points are the same in both.
 */

/** The power of the factor by which each measure follows the unit. */
const POWERS: Readonly<Record<Measure, -1 | 0 | 1>> = {
  rate: 0,
  mark: -1,
  index: -1,
  interest: 1,
  interestUsd: 0,
  volumeUsd: 0,
};
const MEASURES = Object.keys(POWERS) as readonly Measure[];

const divided = <P extends Price>(price: P | undefined, factor: number) =>
  price === undefined ? undefined : asPrice(price / factor);

export function bucketIn(factor: number, bucket: SeriesBucket): SeriesBucket {
  if (factor === 1) return bucket;
  const means: Partial<Record<Measure, Mean>> = {};
  for (const measure of MEASURES) {
    const mean = bucket.means[measure];
    if (mean !== undefined) means[measure] = { ...mean, mean: mean.mean * factor ** POWERS[measure] };
  }
  const { book } = bucket;
  if (book === undefined) return { ...bucket, means };
  const touch = { bestBid: asPrice(book.bestBid / factor), bestAsk: asPrice(book.bestAsk / factor) };
  return { ...bucket, means, book: { ...book, ...touch } };
}

/** The same without the minutes that means stand for. */
export function withoutCoverage(bucket: SeriesBucket): SeriesBucket {
  const means: Partial<Record<Measure, Mean>> = {};
  for (const measure of MEASURES) {
    const mean = bucket.means[measure];
    if (mean !== undefined) means[measure] = { samples: mean.samples, mean: mean.mean };
  }
  return { ...bucket, means };
}

export const settledIn = (factor: number, bucket: SettledBucket): SettledBucket =>
  factor === 1 || bucket.meanMark === undefined ? bucket : { ...bucket, meanMark: bucket.meanMark / factor };

export const valueIn = (factor: number, value: HistoricalValue): HistoricalValue =>
  factor === 1 ? value : { ...value, value: value.value * factor };

export function rowIn(factor: number, row: MarketRow): MarketRow {
  if (factor === 1) return row;
  const { openInterestBase: interest, volume24hBase: volume } = row;
  return {
    ...row,
    multiplier: row.multiplier * factor,
    markPrice: divided(row.markPrice, factor),
    indexPrice: divided(row.indexPrice, factor),
    bestBid: divided(row.bestBid, factor),
    bestAsk: divided(row.bestAsk, factor),
    openInterestBase: interest === undefined ? undefined : asBase(interest * factor),
    volume24hBase: volume === undefined ? undefined : asBase(volume * factor),
  };
}

type Started = Listing & { readonly start: number };

function byListing(a: Listing, b: Listing): number {
  if (a.venue !== b.venue) return a.venue < b.venue ? -1 : 1;
  if (a.symbol !== b.symbol) return a.symbol < b.symbol ? -1 : 1;
  return a.listedAt - b.listedAt;
}

type OfAsset = Listing & { readonly canonicalId: string };

const byAsset = (a: OfAsset, b: OfAsset): number =>
  a.canonicalId === b.canonicalId ? byListing(a, b) : a.canonicalId < b.canonicalId ? -1 : 1;

/**
 * Buckets of one listing that a new name has cut in two become one again, which is of no former name.
 *
 * @param order of listings, as the store answers them
 * @returns in that order, then by time
 */
function united<Bucket extends Started>(
  buckets: readonly Bucket[],
  order: (a: Bucket, b: Bucket) => number,
  unite: (earlier: Bucket, later: Bucket) => Bucket,
): readonly Bucket[] {
  const sorted = [...buckets].sort((a, b) => order(a, b) || a.start - b.start);
  const list: Bucket[] = [];
  for (const bucket of sorted) {
    const last = list.at(-1);
    if (last !== undefined && order(last, bucket) === 0 && last.start === bucket.start) {
      const isOfBoth = last.formerId !== bucket.formerId;
      list[list.length - 1] = { ...unite(last, bucket), ...(isOfBoth && { formerId: undefined }) };
    } else list.push(bucket);
  }
  return list;
}

const weightOf = ({ samples, minutes }: Mean): number => minutes ?? samples;

function uniteMeans(a: Mean | undefined, b: Mean | undefined): Mean | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const weight = weightOf(a) + weightOf(b);
  const mean = (a.mean * weightOf(a) + b.mean * weightOf(b)) / weight;
  const samples = a.samples + b.samples;
  if (a.minutes === undefined || b.minutes === undefined) return { samples, mean };
  return { samples, mean, minutes: a.minutes + b.minutes };
}

type Paced = Pick<SettledBucket, 'intervalHours' | 'intervalChanged'> | undefined;

/** The interval of both, where it is the same; of the one that there is. */
function oneInterval(a: Paced, b: Paced): number | undefined {
  if (a === undefined || b === undefined) return (a ?? b)?.intervalHours;
  return a.intervalHours === b.intervalHours ? a.intervalHours : undefined;
}

/** True where one of both changed, or they have different ones. */
function differs(a: Paced, b: Paced): boolean | undefined {
  if (a?.intervalChanged === undefined && b?.intervalChanged === undefined) return undefined;
  if (a?.intervalChanged === true || b?.intervalChanged === true) return true;
  const ofA = a?.intervalHours;
  const ofB = b?.intervalHours;
  return ofA !== undefined && ofB !== undefined && ofA !== ofB;
}

function uniteBuckets(a: SeriesBucket, b: SeriesBucket): SeriesBucket {
  const [first, last] = a.lastAt <= b.lastAt ? [a, b] : [b, a];
  const means: Partial<Record<Measure, Mean>> = {};
  for (const measure of MEASURES) {
    const mean = uniteMeans(a.means[measure], b.means[measure]);
    if (mean !== undefined) means[measure] = mean;
  }
  const rated = last.lastRate === undefined ? first : last;
  return {
    ...last,
    sampled: a.sampled + b.sampled,
    backfilled: a.backfilled + b.backfilled,
    backfilledHours: a.backfilledHours + b.backfilledHours,
    means,
    book: last.book ?? first.book,
    lastRate: rated.lastRate,
    lastIntervalHours: rated.lastIntervalHours,
    intervalHours: oneInterval(a.means.rate && a, b.means.rate && b),
    intervalChanged: differs(a.means.rate && a, b.means.rate && b),
  };
}

function uniteSettled(a: SettledBucket, b: SettledBucket): SettledBucket {
  const payments = a.payments + b.payments;
  const meanOf = (ofA: number, ofB: number): number => (ofA * a.payments + ofB * b.payments) / payments;
  const isMarked = a.meanMark !== undefined && b.meanMark !== undefined;
  const meanMark = isMarked ? meanOf(a.meanMark, b.meanMark) : (a.meanMark ?? b.meanMark);
  return {
    ...a,
    lastAt: asMs(Math.max(a.lastAt, b.lastAt)),
    payments,
    meanRate: asRate(meanOf(a.meanRate, b.meanRate)),
    meanMark,
    backfilled: a.backfilled + b.backfilled,
    rateSum: a.rateSum + b.rateSum,
    intervalHours: oneInterval(a, b),
    intervalChanged: differs(a, b),
  };
}

function uniteSettledMeans(a: SettledMean, b: SettledMean): SettledMean {
  const hours = a.hours + b.hours;
  const rate8h = (a.rate8h * a.hours + b.rate8h * b.hours) / hours;
  return { ...a, rate8h, hours, lastAt: asMs(Math.max(a.lastAt, b.lastAt)) };
}

export const joinBuckets = (buckets: readonly SeriesBucket[]) => united(buckets, byListing, uniteBuckets);

const bucketAt = (at: number, stepMs: number) => asMs(Math.floor(at / stepMs) * stepMs);

/** @param buckets of this step, or of single payments */
export function joinSettled(buckets: readonly SettledBucket[], stepMs: number): readonly SettledBucket[] {
  const order = (a: SettledBucket, b: SettledBucket): number =>
    byListing(a, b) || a.start - b.start || nameRank(a) - nameRank(b);
  const sorted = [...buckets].sort(order);
  const list = sorted.flatMap((bucket, index): readonly SettledBucket[] => {
    const before = sorted[index - 1];
    const start = bucketAt(bucket.start, stepMs);
    if (before === undefined || byListing(before, bucket) !== 0) return [{ ...bucket, start }];
    if (before.formerId === bucket.formerId || bucket.payments > 1) return [{ ...bucket, start }];
    if (before.payments === 1 && before.lastAt === bucket.lastAt) return [];
    const intervalHours = hoursSince(bucket.intervalHours, bucket.lastAt - before.lastAt);
    return [{ ...bucket, start, intervalHours }];
  });
  return united(list, byListing, uniteSettled);
}

/** Mean funding of several assets, by asset first. */
export const joinSettledMeans = (means: readonly SettledMean[]) => united(means, byAsset, uniteSettledMeans);

/** Payments as means of their buckets, to be joined. */
export const meansOfPayments = (
  payments: readonly FundingPayment[],
  stepMs: number,
): readonly SettledMean[] =>
  payments.flatMap(({ at, rate, hours = 0, ...of }) =>
    hours > 0 ? [{ ...of, start: bucketAt(at, stepMs), rate8h: (rate * 8) / hours, hours, lastAt: at }] : [],
  );

/** The hours of a payment so long after the one before, which its own query did not see. */
function hoursSince(stated: number | undefined, sinceMs: number): number | undefined {
  const hours = sinceMs / HOUR_MS;
  if (stated === undefined) return sinceMs <= DAY_MS ? hours : undefined;
  return Math.min(stated, hours);
}

/** Orders values that are stored under two names: those of the present name come first. */
const nameRank = ({ formerId }: Listing): number => (formerId === undefined ? 0 : 1);

/** A listing is paid once at a time: where that is stored under two names, as after a back-fill, the present one stands. */
const paidOnce = (payments: readonly FundingPayment[]): readonly FundingPayment[] =>
  payments.filter((payment, index) => {
    const before = payments[index - 1];
    return before === undefined || byAsset(before, payment) !== 0 || before.at !== payment.at;
  });

/**
 * Payments by asset, listing and time. The first under a new name of a listing is for the hours since the last under the old
 * one, which its own query did not see.
 */
export function joinPayments(payments: readonly FundingPayment[]): readonly FundingPayment[] {
  const byTime = [...payments].sort((a, b) => byAsset(a, b) || a.at - b.at || nameRank(a) - nameRank(b));
  const sorted = paidOnce(byTime);
  return sorted.map((payment, index) => {
    const before = sorted[index - 1];
    if (before === undefined || byAsset(before, payment) !== 0) return payment;
    return { ...payment, hours: hoursSince(payment.hours, payment.at - before.at) };
  });
}

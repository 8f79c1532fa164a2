import { iso } from '../domain/clock.ts';
import type { BookSample, Mean, SeriesBucket, SettledBucket } from '../domain/series.ts';
import type { UnixMs } from '../domain/units.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import { historyAsOf } from './history-as-of.ts';
import {
  AGGREGATION_MS,
  type Aggregation,
  type HistoryWindow,
  isPartial,
  leadingBuckets,
  ORIGINS,
  type Origin,
  originOf,
  samplesOf,
} from './history-window.ts';
import { NULL_REASONS } from './null-reason.ts';
import type { ProductAnswer } from './product-answer.ts';

/** Why a book figure of a bucket is not there. */
export const BOOK_REASONS = {
  not_sampled: 'the service did not see the bucket, and venues do not tell their past books',
  not_followed: 'no fresh order book of the contract was known at any sample',
  too_thin: NULL_REASONS.too_thin,
} as const;
export type BookReason = keyof typeof BOOK_REASONS;

/** One bucket. Funding and order-book fields are there where they were asked for. */
export interface BacktestRow {
  readonly ts: string;
  readonly venue_symbol: string;
  readonly origin: Origin;
  readonly sources: readonly Origin[];
  /** The bucket goes on. */
  readonly partial: boolean;
  /** The least complete of the columns asked for. */
  readonly completeness_pct: number;
  readonly funding_rate?: number | null;
  readonly funding_samples?: number;
  /** Mean of the payments made in the bucket. */
  readonly settled_funding_rate?: number | null;
  readonly settled_payments?: number;
  readonly perp_price: number | null;
  readonly best_bid?: number | null;
  readonly best_ask?: number | null;
  readonly spread_bps?: number | null;
  readonly bid_depth_usd?: number | null;
  readonly ask_depth_usd?: number | null;
  readonly slippage_1k_bps?: number | null;
  readonly slippage_5k_bps?: number | null;
  readonly slippage_10k_bps?: number | null;
  readonly book_reason?: BookReason | null;
}

/** Percent of the minutes that have passed of which a column says something. */
export interface Completeness {
  readonly funding?: number;
  readonly price: number;
  readonly book?: number;
}

export interface BacktestData {
  readonly venue: string;
  readonly ticker: string;
  readonly canonical_id: string;
  readonly granularity: Aggregation;
  readonly from_ts: string;
  readonly to_ts: string;
  readonly data: readonly BacktestRow[];
  readonly metadata: {
    readonly samples_count: number;
    /** The least complete of the columns asked for. */
    readonly completeness_pct: number;
    readonly completeness: Completeness;
    readonly data_sources: readonly Origin[];
    readonly methodology: string;
  };
}

export interface BacktestQuery {
  readonly venue: string;
  readonly ticker: string;
  readonly canonicalId: string;
  readonly window: HistoryWindow;
  readonly includeFunding: boolean;
  readonly includeOrderbook: boolean;
}

const METHODOLOGY =
  'funding_rate (as shown) and perp_price (mark) are means over one-minute samples of the bucket; settled_funding_rate is the mean of the payments made in it, which stand in no hour before. Order-book fields are the last fresh book of the bucket, all of one book, slippage the worse of both sides; book_reason says why one is null. completeness counts the minutes that have passed, by column: a price that the venue told afterwards covers its hour; a book covers a bucket where all its fields are known. completeness_pct is the least complete column. Buckets of which nothing is known are left out. Naive baseline: before fees, slippage and latency; not a profit forecast.';

/** What is known of a bucket: samples, payments, or both, of one contract. */
interface Known {
  readonly venue: string;
  readonly symbol: string;
  readonly listedAt: UnixMs;
  readonly start: UnixMs;
  readonly lastAt: UnixMs;
  readonly samples: SeriesBucket | undefined;
  readonly paid: SettledBucket | undefined;
}

/**
 * Packaged series of one contract, by bucket.
 *
 * @param buckets with the minutes that their means cover
 * @param payments in the same buckets
 */
export function backtestData(
  question: BacktestQuery,
  buckets: readonly SeriesBucket[],
  payments: readonly SettledBucket[],
): ProductAnswer<BacktestData> {
  const { venue, ticker, canonicalId, window } = question;
  const rows = knownBuckets(buckets, payments);
  const completeness = completenessOf(question, rows, passedMinutes(window, window.from, window.to));
  const data = rows.map((known) => rowOf(known, question));
  const body: BacktestData = {
    venue,
    ticker,
    canonical_id: canonicalId,
    granularity: window.aggregation,
    from_ts: iso(window.from),
    to_ts: iso(window.to),
    data,
    metadata: {
      samples_count: rows.reduce((sum, { samples }) => sum + (samples ? samplesOf(samples) : 0), 0),
      completeness_pct: leastOf(completeness),
      completeness,
      data_sources: ORIGINS.filter((origin) => data.some(({ sources }) => sources.includes(origin))),
      methodology: METHODOLOGY,
    },
  };
  const asOf = historyAsOf(rows);
  return { body, asOf, sources: { used: rows.length > 0 ? [venue] : [], missing: [] } };
}

/** One contract a bucket: the one that was sampled more; where none was, the one that paid. */
function knownBuckets(
  buckets: readonly SeriesBucket[],
  payments: readonly SettledBucket[],
): readonly Known[] {
  const keyOf = ({ symbol, listedAt, start }: SeriesBucket | SettledBucket): string =>
    `${symbol}\t${listedAt}\t${start}`;
  const paid = new Map(payments.map((one) => [keyOf(one), one]));
  const sampled = buckets.map((samples): Known => {
    const { venue, symbol, listedAt, start, lastAt } = samples;
    return { venue, symbol, listedAt, start, lastAt, samples, paid: paid.get(keyOf(samples)) };
  });
  const unsampled = payments.map((one): Known => {
    const { venue, symbol, listedAt, start, lastAt } = one;
    return { venue, symbol, listedAt, start, lastAt, samples: undefined, paid: one };
  });
  return leadingBuckets([...sampled, ...unsampled], ({ samples }) => (samples ? samplesOf(samples) : 0));
}

function rowOf(known: Known, question: BacktestQuery): BacktestRow {
  const { window, includeFunding, includeOrderbook } = question;
  const { start, symbol, samples, paid } = known;
  const { rate, mark } = samples?.means ?? {};
  const end = start + AGGREGATION_MS[window.aggregation];
  const sources = sourcesOf(known, question);
  return {
    ts: iso(start),
    venue_symbol: symbol,
    origin: samples === undefined ? 'settled' : originOf(samples),
    sources,
    partial: isPartial(window, start),
    completeness_pct: leastOf(completenessOf(question, [known], passedMinutes(window, start, end))),
    ...(includeFunding && {
      ...{ funding_rate: rate?.mean ?? null, funding_samples: rate?.samples ?? 0 },
      ...{ settled_funding_rate: paid?.meanRate ?? null, settled_payments: paid?.payments ?? 0 },
    }),
    perp_price: mark?.mean ?? null,
    ...(includeOrderbook && bookFields(samples)),
  };
}

function sourcesOf({ samples, paid }: Known, { includeFunding }: BacktestQuery): readonly Origin[] {
  const there: Readonly<Record<Origin, boolean>> = {
    sampled: samples !== undefined && samples.sampled > 0,
    settled: includeFunding && paid !== undefined,
    backfilled: samples !== undefined && samples.backfilled > 0,
  };
  return ORIGINS.filter((origin) => there[origin]);
}

function bookFields(bucket: SeriesBucket | undefined) {
  const book = bucket?.book;
  const mid = book === undefined ? undefined : (book.bestBid + book.bestAsk) / 2;
  return {
    best_bid: book?.bestBid ?? null,
    best_ask: book?.bestAsk ?? null,
    spread_bps:
      book === undefined || mid === undefined ? null : ((book.bestAsk - book.bestBid) / mid) * 10_000,
    bid_depth_usd: book?.bidDepthUsd ?? null,
    ask_depth_usd: book?.askDepthUsd ?? null,
    slippage_1k_bps: book?.slippage1kBps ?? null,
    slippage_5k_bps: book?.slippage5kBps ?? null,
    slippage_10k_bps: book?.slippage10kBps ?? null,
    book_reason: bookReason(bucket),
  };
}

function bookReason(bucket: SeriesBucket | undefined): BookReason | null {
  if (bucket === undefined || bucket.sampled === 0) return 'not_sampled';
  if (bucket.book === undefined) return 'not_followed';
  return isWhole(bucket.book) ? null : 'too_thin';
}

const isWhole = (book: BookSample): boolean => Object.values(book).every((figure) => figure !== undefined);

/** Minutes of [from, to) that have passed: of a bucket that has begun at least one. */
function passedMinutes({ aggregation, knownTo }: HistoryWindow, from: number, to: number): number {
  const stepMs = AGGREGATION_MS[aggregation];
  let minutes = 0;
  for (let start = from; start < to && start <= knownTo; start += stepMs) {
    const end = Math.min(start + stepMs, knownTo);
    minutes += Math.max(1, Math.floor((end - start) / MINUTE_MS));
  }
  return minutes;
}

/** Of so many minutes, in percent to two decimals; 100 only where nothing is missing. */
function completenessOf(
  { window, includeFunding, includeOrderbook }: BacktestQuery,
  rows: readonly Known[],
  expected: number,
): Completeness {
  const step = AGGREGATION_MS[window.aggregation];
  const share = (minutesOf: (bucket: SeriesBucket, passed: number) => number): number => {
    const covered = rows.reduce((sum, { start, samples }) => {
      const passed = passedMinutes(window, start, start + step);
      return sum + (samples === undefined ? 0 : Math.min(passed, minutesOf(samples, passed)));
    }, 0);
    // Of a bucket that begins after `as_of` nothing was to be known.
    return expected === 0 ? 0 : Math.floor((covered * 10_000) / expected) / 100;
  };
  const minutes = (mean: Mean | undefined): number => mean?.minutes ?? mean?.samples ?? 0;
  return {
    ...(includeFunding && { funding: share(({ means }) => minutes(means.rate)) }),
    price: share(({ means }) => minutes(means.mark)),
    ...(includeOrderbook && {
      book: share(({ book }, passed) => (book !== undefined && isWhole(book) ? passed : 0)),
    }),
  };
}

const leastOf = (completeness: Completeness): number => Math.min(...Object.values(completeness));

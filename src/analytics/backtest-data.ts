import { iso } from '../domain/clock.ts';
import type { BookSample, SeriesBucket } from '../domain/series.ts';
import type { Fact } from './fact.ts';
import { pastAsOf } from './past-as-of.ts';
import { type Aggregation, leadingBuckets, type PastWindow, samplesOf } from './past-window.ts';

/** One bucket. Funding and order-book fields are there where they were asked for. */
export interface BacktestRow {
  readonly ts: string;
  readonly funding_rate?: number | null;
  readonly funding_samples?: number;
  readonly perp_price: number | null;
  readonly best_bid?: number | null;
  readonly best_ask?: number | null;
  readonly spread_bps?: number | null;
  readonly bid_depth_usd?: number | null;
  readonly ask_depth_usd?: number | null;
  readonly slippage_1k_bps?: number | null;
  readonly slippage_5k_bps?: number | null;
  readonly slippage_10k_bps?: number | null;
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
    /** Minutes that are covered over minutes of the window that have passed, x 100. */
    readonly completeness_pct: number;
    readonly data_sources: readonly ('sampled' | 'backfilled')[];
    readonly methodology: string;
  };
}

export interface BacktestQuestion {
  readonly venue: string;
  readonly ticker: string;
  readonly canonicalId: string;
  readonly window: PastWindow;
  readonly now: number;
  readonly includeFunding: boolean;
  readonly includeOrderbook: boolean;
}

const METHODOLOGY =
  'funding_rate and perp_price (mark) are means over one-minute samples of the bucket; order-book fields are its last values, slippage the worse of both sides. completeness_pct counts expected samples, one a minute; an hour that the venue told afterwards counts as covered. Buckets without a sample are left out. Naive baseline: before fees, slippage and latency; not a profit forecast.';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** Packaged series of one contract, by bucket. */
export function backtestData(
  question: BacktestQuestion,
  buckets: readonly SeriesBucket[],
): Fact<BacktestData> {
  const { venue, ticker, canonicalId, window } = question;
  const rows = leadingBuckets(buckets, samplesOf);
  const body: BacktestData = {
    venue,
    ticker,
    canonical_id: canonicalId,
    granularity: window.aggregation,
    from_ts: iso(window.from),
    to_ts: iso(window.to),
    data: rows.map((bucket) => rowOf(bucket, question)),
    metadata: {
      samples_count: rows.reduce((sum, bucket) => sum + samplesOf(bucket), 0),
      completeness_pct: completeness(question, rows),
      data_sources: [
        ...(rows.some(({ sampled }) => sampled > 0) ? (['sampled'] as const) : []),
        ...(rows.some(({ backfilled }) => backfilled > 0) ? (['backfilled'] as const) : []),
      ],
      methodology: METHODOLOGY,
    },
  };
  const asOf = pastAsOf(rows);
  return { body, asOf, sources: { used: rows.length > 0 ? [venue] : [], missing: [] } };
}

function rowOf(
  { start, means, book }: SeriesBucket,
  { includeFunding, includeOrderbook }: BacktestQuestion,
): BacktestRow {
  const { rate, mark } = means;
  return {
    ts: iso(start),
    ...(includeFunding && { funding_rate: rate?.mean ?? null, funding_samples: rate?.samples ?? 0 }),
    perp_price: mark?.mean ?? null,
    ...(includeOrderbook && bookFields(book)),
  };
}

function bookFields(book: BookSample | undefined) {
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
  };
}

/** Of the minutes that have passed; to two decimals. */
function completeness({ window, now }: BacktestQuestion, rows: readonly SeriesBucket[]): number {
  const expected = Math.max(1, (Math.min(window.to, now) - window.from) / MINUTE_MS);
  const covered = rows.reduce(
    (sum, { sampled, backfilledHours }) => sum + sampled + backfilledHours * HOUR_MINUTES,
    0,
  );
  return Math.round(Math.min(1, covered / expected) * 10_000) / 100;
}

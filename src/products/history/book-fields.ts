import Type from 'typebox';
import type { SeriesBucket } from '../../domain/series.ts';
import { NULL_REASONS } from '../answer/null-reason.ts';
import { nullable, number } from '../answer/schema.ts';
import { isWhole } from './backtest-buckets.ts';

/** Reasons for which a book figure of a bucket is missing. */
const BOOK_REASONS = {
  not_sampled: 'the service did not see the bucket, and venues do not tell their past books',
  not_followed: 'no fresh order book of the contract was known at any sample',
  too_thin: NULL_REASONS.too_thin,
} as const;
type BookReason = keyof typeof BOOK_REASONS;

const figure = (description: string) => Type.Optional(nullable(number(description)));

/** The order-book fields of a bucket, absent where they are not asked for. */
export const bookFields = {
  best_bid: figure(
    'Best bid of the last fresh book; this and the following, all of that book, with include_orderbook=true',
  ),
  best_ask: figure('Last best ask'),
  spread_bps: figure('(ask - bid) / mid x 10000'),
  bid_depth_usd: figure('Visible bids within 100 bps of the mid, US dollars'),
  ask_depth_usd: figure('Visible asks within 100 bps of the mid, US dollars'),
  slippage_1k_bps: figure('Slippage of 1,000 USD, the worse of both sides; null where it was not filled'),
  slippage_5k_bps: figure('The same of 5,000 USD'),
  slippage_10k_bps: figure('The same of 10,000 USD'),
  book_reason: Type.Optional(
    nullable(
      Type.Unsafe<BookReason>({
        type: 'string',
        enum: Object.keys(BOOK_REASONS),
        description: `Why an order-book field is null: ${Object.entries(BOOK_REASONS)
          .map(([word, why]) => `${word}: ${why}`)
          .join('; ')}`,
      }),
    ),
  ),
};

/** The figures of the last fresh book of a bucket. */
export function bookValues(bucket: SeriesBucket | undefined) {
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

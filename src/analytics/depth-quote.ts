import { ok, type Result } from '../domain/errors.ts';
import type { BookQuote, BookView } from '../market/books/book-view.ts';
import { bookAnswer, lineageOf, pairQuote, type QuoteLineage, takerFeeOf } from './book-source.ts';
import {
  costReasons,
  type ExecutionTerms,
  sizedSlippage,
  type TakingCost,
  takingCost,
} from './execution-cost.ts';
import { fillableUsd } from './leg-book.ts';
import { type WithReasons, withReasons } from './null-reason.ts';
import type { ProductAnswer } from './product-answer.ts';
import type { Pair } from './select.ts';

/** Everything in USD or bps of the mid. */
export interface DepthQuote extends QuoteLineage, TakingCost, WithReasons {
  readonly venue: string;
  readonly best_bid: number;
  readonly best_ask: number;
  readonly spread_bps: number;
  /** Of the side, or the worse of both; null exactly when the size is above max_fillable_usd. */
  readonly est_slippage_for_size_usd_bps: number | null;
  readonly bid_depth_usd: number;
  readonly ask_depth_usd: number;
  /** Of the side, or the smaller of both. */
  readonly max_fillable_usd: number;
}

export interface OrderbookDepth {
  readonly venue: string;
  readonly symbol: string;
  readonly canonical_id: string;
  readonly size_usd: number;
  readonly side: ExecutionTerms['side'];
  readonly quote: DepthQuote;
  readonly naive_note: string;
}

const NOTE =
  'Slippage is the volume-weighted fill price against the mid, of the side asked for or the worse of buying and selling, from visible levels within 100 bps of the mid; all_in_bps adds the public taker fee. Naive baseline: funding and latency are excluded; not a profit forecast.';

/** Sized quote of one pair; formulas in `DepthFigures`. 503 not_ready without a book that is in order. */
export function orderbookDepth(
  pair: Pair,
  books: BookView,
  terms: Pick<ExecutionTerms, 'size' | 'side'>,
): Result<ProductAnswer<OrderbookDepth>> {
  const found = pairQuote(pair, books);
  if (!found.ok) return found;
  const quote = found.value;
  const body: OrderbookDepth = {
    venue: quote.venue,
    symbol: pair.ticker,
    canonical_id: pair.canonicalId,
    size_usd: terms.size,
    side: terms.side,
    quote: depthQuote(pair, quote, terms.side, sizedSlippage({ quote }, books, terms)),
    naive_note: NOTE,
  };
  return ok(bookAnswer(body, [quote], [quote.venue]));
}

function depthQuote(
  { row, venue }: Pair,
  quote: BookQuote,
  side: ExecutionTerms['side'],
  slippage: number | undefined,
): DepthQuote {
  const shown = {
    venue: quote.venue,
    ...takingCost({ row, takerFeeBps: takerFeeOf(row, venue) }, slippage),
    best_bid: quote.bestBid,
    best_ask: quote.bestAsk,
    spread_bps: quote.spreadBps,
    est_slippage_for_size_usd_bps: slippage ?? null,
    bid_depth_usd: quote.bidDepthUsd,
    ask_depth_usd: quote.askDepthUsd,
    max_fillable_usd: fillableUsd(quote, side),
    ...lineageOf(quote),
  };
  return withReasons(shown, { est_slippage_for_size_usd_bps: 'too_thin', ...costReasons(slippage) });
}

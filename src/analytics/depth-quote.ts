import { ok, type Result } from '../domain/errors.ts';
import type { BookQuote, BookView } from '../market/books/book-view.ts';
import { bookFact, lineageOf, pairQuote, type QuoteLineage } from './book-source.ts';
import { type ContractName, contractName } from './contract-name.ts';
import type { Fact } from './fact.ts';
import type { Pair } from './select.ts';

export type QuoteSize = 1000 | 5000 | 10_000;

/** Everything in USD or bps of the mid. */
export interface DepthQuote extends QuoteLineage, ContractName {
  readonly venue: string;
  readonly best_bid: number;
  readonly best_ask: number;
  readonly spread_bps: number;
  /** The worse of both sides; null exactly when the size is above max_fillable_usd. */
  readonly est_slippage_for_size_usd_bps: number | null;
  readonly bid_depth_usd: number;
  readonly ask_depth_usd: number;
  readonly max_fillable_usd: number;
}

export interface OrderbookDepth {
  readonly venue: string;
  readonly symbol: string;
  readonly canonical_id: string;
  readonly size_usd: number;
  readonly quote: DepthQuote;
  readonly naive_note: string;
}

const NOTE =
  'Slippage is the volume-weighted fill price against the mid, the worse of buying and selling, from visible levels within 100 bps of the mid. Naive baseline: fees, funding and latency are excluded; not a profit forecast.';

/** Slippage of a quote at a quoted size, bps; undefined when the book does not fill it. */
export function slippageAt(quote: BookQuote, size: QuoteSize): number | undefined {
  if (size === 1000) return quote.slippage1kBps;
  return size === 5000 ? quote.slippage5kBps : quote.slippage10kBps;
}

/** Sized quote of one pair; formulas in `DepthFigures`. 503 not_ready without a book that is in order. */
export function orderbookDepth(pair: Pair, books: BookView, size: QuoteSize): Result<Fact<OrderbookDepth>> {
  const found = pairQuote(pair, books);
  if (!found.ok) return found;
  const quote = found.value;
  const { venue } = quote;
  const body: OrderbookDepth = {
    venue,
    symbol: pair.ticker,
    canonical_id: pair.canonicalId,
    size_usd: size,
    quote: {
      venue,
      best_bid: quote.bestBid,
      best_ask: quote.bestAsk,
      spread_bps: quote.spreadBps,
      est_slippage_for_size_usd_bps: slippageAt(quote, size) ?? null,
      bid_depth_usd: quote.bidDepthUsd,
      ask_depth_usd: quote.askDepthUsd,
      max_fillable_usd: quote.maxFillableUsd,
      ...contractName(pair.row),
      ...lineageOf(quote),
    },
    naive_note: NOTE,
  };
  return ok(bookFact(body, [quote], [venue]));
}

import { fail, ok, type Result } from '../domain/errors.ts';
import type { BookQuote, BookView } from '../market/books/book-view.ts';
import { assetQuotes, bookFact, lineageOf, listing, type QuoteLineage } from './book-source.ts';
import type { QuoteSize } from './depth-quote.ts';
import type { Fact } from './fact.ts';
import { worseSlippageBps } from './leg-book.ts';
import type { AssetRows } from './select.ts';

/** Everything in USD or bps of the venue's mid. */
export interface RouteLeg extends QuoteLineage {
  readonly venue: string;
  readonly allocated_usd: number;
  /** At the allocation, the worse of both sides. */
  readonly slippage_bps: number;
  readonly best_bid: number;
  readonly best_ask: number;
  readonly max_fillable_usd: number;
}

export interface MultiVenueExecution {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly size_usd: number;
  readonly total_filled_usd: number;
  readonly unfilled_usd: number;
  readonly venues_used: number;
  readonly blended_slippage_bps: number;
  readonly route: readonly RouteLeg[];
  readonly naive_note: string;
}

const NOTE =
  'Greedy: venues by slippage at the smaller of the size and their cap, each filled up to its visible depth within 100 bps of its mid. Naive baseline: fees, funding, latency and price differences between venues are excluded; not a profit forecast.';

interface Choice {
  readonly quote: BookQuote;
  /** Slippage at min(size, cap), bps. */
  readonly slippageBps: number;
}

/**
 * Route of a size over venues: in the order of slippage at min(size, cap) each takes what is left up to its cap.
 * Each leg's slippage is at its allocation; blended = sum(allocation x slippage) / sum(allocation).
 * 404 no_data where no venue fills anything.
 */
export function multiVenueExecution(
  asset: AssetRows,
  books: BookView,
  size: QuoteSize,
): Result<Fact<MultiVenueExecution>> {
  const found = assetQuotes(asset, books);
  if (!found.ok) return found;
  const route = allocate(choices(found.value, books, size), books, size);
  const total = route.reduce((sum, leg) => sum + leg.allocated_usd, 0);
  if (total === 0) {
    const detail = `No venue of ${asset.canonicalId} shows depth within 100 bps of its mid on both sides`;
    return fail({ code: 'no_data', detail });
  }
  const weighted = route.reduce((sum, leg) => sum + leg.allocated_usd * leg.slippage_bps, 0);
  const body: MultiVenueExecution = {
    ticker: asset.ticker,
    canonical_id: asset.canonicalId,
    size_usd: size,
    total_filled_usd: total,
    unfilled_usd: size - total,
    venues_used: route.length,
    blended_slippage_bps: weighted / total,
    route,
    naive_note: NOTE,
  };
  return ok(bookFact(body, found.value, listing(asset)));
}

function choices(quotes: readonly BookQuote[], books: BookView, size: QuoteSize): readonly Choice[] {
  const found = quotes.flatMap((quote) => {
    const slippageBps = worseSlippageBps(quote, books, Math.min(size, quote.maxFillableUsd));
    return slippageBps === undefined ? [] : [{ quote, slippageBps }];
  });
  return found.sort(
    (a, b) => a.slippageBps - b.slippageBps || b.quote.maxFillableUsd - a.quote.maxFillableUsd,
  );
}

function allocate(order: readonly Choice[], books: BookView, size: QuoteSize): readonly RouteLeg[] {
  const legs: RouteLeg[] = [];
  let left: number = size;
  for (const { quote } of order) {
    const allocated = Math.min(left, quote.maxFillableUsd);
    const slippage = allocated > 0 ? worseSlippageBps(quote, books, allocated) : undefined;
    if (slippage === undefined) continue;
    legs.push({
      venue: quote.venue,
      allocated_usd: allocated,
      slippage_bps: slippage,
      best_bid: quote.bestBid,
      best_ask: quote.bestAsk,
      max_fillable_usd: quote.maxFillableUsd,
      ...lineageOf(quote),
    });
    left -= allocated;
    if (left <= 0) break;
  }
  return legs;
}

import { fail, ok, type Result } from '../domain/errors.ts';
import type { BookQuote, BookView } from '../market/books/book-view.ts';
import { assetQuotes, bookFact, lineageOf, listing, type QuoteLineage } from './book-source.ts';
import { type QuoteSize, slippageAt } from './depth-quote.ts';
import type { Fact } from './fact.ts';
import type { AssetRows } from './select.ts';

/** Everything in USD or bps of the mid. */
export interface VenueSlippage extends QuoteLineage {
  readonly venue: string;
  readonly best_bid: number;
  readonly best_ask: number;
  readonly spread_bps: number;
  readonly bid_depth_usd: number;
  readonly ask_depth_usd: number;
  /** Null where the venue does not fill the size. */
  readonly slippage_bps: number | null;
}

export interface MultiVenueSlippage {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly size_usd: number;
  readonly count: number;
  readonly venues: readonly VenueSlippage[];
  readonly naive_note: string;
}

export interface BestExecution {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly size_usd: number;
  readonly venues_considered: number;
  readonly best: VenueSlippage;
  readonly naive_note: string;
}

const NOTE =
  'Slippage is the volume-weighted fill price against the venue’s own mid, the worse of buying and selling, from visible levels within 100 bps. Naive baseline: fees, funding and latency are excluded; not a profit forecast.';

/** Every venue with a fresh book, lowest slippage first; venues that do not fill the size come last, deepest first. */
export function multiVenueSlippage(
  asset: AssetRows,
  books: BookView,
  size: QuoteSize,
): Result<Fact<MultiVenueSlippage>> {
  const found = assetQuotes(asset, books);
  if (!found.ok) return found;
  const venues = [...found.value].sort((a, b) => bySlippage(a, b, size));
  const body: MultiVenueSlippage = {
    ticker: asset.ticker,
    canonical_id: asset.canonicalId,
    size_usd: size,
    count: venues.length,
    venues: venues.map((quote) => venueSlippage(quote, size)),
    naive_note: NOTE,
  };
  return ok(bookFact(body, found.value, listing(asset)));
}

/** The venue with the lowest slippage at the size. 404 no_data where no venue fills it. */
export function bestExecution(
  asset: AssetRows,
  books: BookView,
  size: QuoteSize,
): Result<Fact<BestExecution>> {
  const found = assetQuotes(asset, books);
  if (!found.ok) return found;
  const [best] = [...found.value].sort((a, b) => bySlippage(a, b, size));
  if (best === undefined || slippageAt(best, size) === undefined) {
    const detail = `None of the ${found.value.length} venues with a fresh book of ${asset.canonicalId} fills ${size} USD within 100 bps of its mid; multi-venue-execution says what can be filled together`;
    return fail({ code: 'no_data', detail });
  }
  const body: BestExecution = {
    ticker: asset.ticker,
    canonical_id: asset.canonicalId,
    size_usd: size,
    venues_considered: found.value.length,
    best: venueSlippage(best, size),
    naive_note: NOTE,
  };
  return ok(bookFact(body, found.value, listing(asset)));
}

function bySlippage(a: BookQuote, b: BookQuote, size: QuoteSize): number {
  const first = slippageAt(a, size) ?? Number.POSITIVE_INFINITY;
  const second = slippageAt(b, size) ?? Number.POSITIVE_INFINITY;
  if (first !== second) return first - second;
  return b.maxFillableUsd - a.maxFillableUsd;
}

function venueSlippage(quote: BookQuote, size: QuoteSize): VenueSlippage {
  return {
    venue: quote.venue,
    best_bid: quote.bestBid,
    best_ask: quote.bestAsk,
    spread_bps: quote.spreadBps,
    slippage_bps: slippageAt(quote, size) ?? null,
    bid_depth_usd: quote.bidDepthUsd,
    ask_depth_usd: quote.askDepthUsd,
    ...lineageOf(quote),
  };
}

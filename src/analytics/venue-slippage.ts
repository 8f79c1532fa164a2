import { fail, ok, type Result } from '../domain/errors.ts';
import type { BookQuote, BookView } from '../market/books/book-view.ts';
import { assetOffers, bookAnswer, lineageOf, listing, type Offer, type QuoteLineage } from './book-source.ts';
import {
  byCost,
  type CostedOffer,
  costReasons,
  type ExecutionTerms,
  sizedSlippage,
  type TakingCost,
  takingCost,
} from './execution-cost.ts';
import { type WithReasons, withReasons } from './null-reason.ts';
import type { ProductAnswer } from './product-answer.ts';
import type { AssetRows } from './select.ts';

/** Everything in USD or bps of the mid. */
export interface VenueSlippage extends QuoteLineage, TakingCost, WithReasons {
  readonly venue: string;
  readonly best_bid: number;
  readonly best_ask: number;
  readonly spread_bps: number;
  readonly bid_depth_usd: number;
  readonly ask_depth_usd: number;
  /** Null where the venue does not fill the size. */
  readonly slippage_bps: number | null;
}

/** What was asked for, as it was answered. */
interface Asked {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly size_usd: number;
  readonly side: ExecutionTerms['side'];
  readonly rank_by: ExecutionTerms['rankBy'];
}

export interface MultiVenueSlippage extends Asked {
  readonly count: number;
  readonly venues: readonly VenueSlippage[];
  readonly naive_note: string;
}

export interface BestExecution extends Asked {
  readonly venues_considered: number;
  readonly best: VenueSlippage;
  readonly naive_note: string;
}

const NOTE =
  'slippage_bps is the volume-weighted fill price against the venue’s own mid, from visible levels within 100 bps: of the side asked for, or the worse of both. all_in_bps adds the public taker fee. Naive baseline: price differences between venues, funding and latency are excluded, fees too where slippage ranks; not a profit forecast.';

/** Every venue with a fresh book, cheapest first; venues that do not fill the size come last, deepest first. */
export function multiVenueSlippage(
  asset: AssetRows,
  books: BookView,
  terms: ExecutionTerms,
): Result<ProductAnswer<MultiVenueSlippage>> {
  const found = assetOffers(asset, books);
  if (!found.ok) return found;
  const venues = ranked(found.value, books, terms).map(venueSlippage);
  const body: MultiVenueSlippage = {
    ...asked(asset, terms),
    count: venues.length,
    venues,
    naive_note: NOTE,
  };
  return ok(bookAnswer(body, quotesOf(found.value), listing(asset)));
}

/** The cheapest venue at the size. 404 no_data where no venue fills it. */
export function bestExecution(
  asset: AssetRows,
  books: BookView,
  terms: ExecutionTerms,
): Result<ProductAnswer<BestExecution>> {
  const found = assetOffers(asset, books);
  if (!found.ok) return found;
  const [best] = ranked(found.value, books, terms);
  if (best?.slippageBps === undefined) {
    const detail = `None of the ${found.value.length} venues with a fresh book of ${asset.canonicalId} fills ${terms.size} USD within 100 bps of its mid; multi-venue-execution says what can be filled together`;
    return fail({ code: 'no_data', detail });
  }
  const body: BestExecution = {
    ...asked(asset, terms),
    venues_considered: found.value.length,
    best: venueSlippage(best),
    naive_note: NOTE,
  };
  return ok(bookAnswer(body, quotesOf(found.value), listing(asset)));
}

const quotesOf = (offers: readonly Offer[]): readonly BookQuote[] => offers.map(({ quote }) => quote);

function asked({ ticker, canonicalId }: AssetRows, { size, side, rankBy }: ExecutionTerms): Asked {
  return { ticker, canonical_id: canonicalId, size_usd: size, side, rank_by: rankBy };
}

function ranked(offers: readonly Offer[], books: BookView, terms: ExecutionTerms): readonly CostedOffer[] {
  return offers
    .map((offer) => ({ offer, slippageBps: sizedSlippage(offer, books, terms) }))
    .sort(byCost(terms));
}

function venueSlippage({ offer, slippageBps }: CostedOffer): VenueSlippage {
  const { quote } = offer;
  const row = {
    venue: quote.venue,
    ...takingCost(offer, slippageBps),
    best_bid: quote.bestBid,
    best_ask: quote.bestAsk,
    spread_bps: quote.spreadBps,
    slippage_bps: slippageBps ?? null,
    bid_depth_usd: quote.bidDepthUsd,
    ask_depth_usd: quote.askDepthUsd,
    ...lineageOf(quote),
  };
  return withReasons(row, { slippage_bps: 'too_thin', ...costReasons(slippageBps) });
}

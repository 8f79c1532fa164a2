import { fail, ok, type Result } from '../domain/errors.ts';
import type { BookView } from '../market/books/book-view.ts';
import { assetOffers, bookAnswer, lineageOf, listing, type Offer, type QuoteLineage } from './book-source.ts';
import { byCost, costReasons, type ExecutionTerms, type TakingCost, takingCost } from './execution-cost.ts';
import { fillableUsd, slippageBps } from './leg-book.ts';
import { type WithReasons, withReasons } from './null-reason.ts';
import type { ProductAnswer } from './product-answer.ts';
import type { AssetRows } from './select.ts';

/** Everything in USD or bps of the venue's mid. */
export interface RouteLeg extends QuoteLineage, TakingCost, WithReasons {
  readonly venue: string;
  readonly allocated_usd: number;
  /** At the allocation, of the side or the worse of both. */
  readonly slippage_bps: number;
  readonly best_bid: number;
  readonly best_ask: number;
  readonly max_fillable_usd: number;
}

export interface MultiVenueExecution extends WithReasons {
  readonly ticker: string;
  readonly canonical_id: string;
  readonly size_usd: number;
  readonly side: ExecutionTerms['side'];
  readonly rank_by: ExecutionTerms['rankBy'];
  readonly total_filled_usd: number;
  readonly unfilled_usd: number;
  readonly venues_used: number;
  readonly blended_slippage_bps: number;
  /** Null where the fee of a leg is not known. */
  readonly blended_taker_fee_bps: number | null;
  readonly blended_all_in_bps: number | null;
  readonly route: readonly RouteLeg[];
  readonly naive_note: string;
}

const NOTE =
  'Greedy: venues by slippage (rank_by=all_in: slippage plus taker fee) at the smaller of the size and their cap, each filled up to its visible depth within 100 bps of its mid. all_in_bps adds the public taker fee. Naive baseline: funding, latency and price differences between venues are excluded, fees too where slippage ranks; not a profit forecast.';

/**
 * Route of a size over venues: in the order of their cost at min(size, cap) each takes what is left up to its cap.
 * Each leg's slippage is at its allocation; blended = sum(allocation x bps) / sum(allocation).
 * 404 no_data where no venue fills anything.
 */
export function multiVenueExecution(
  asset: AssetRows,
  books: BookView,
  terms: ExecutionTerms,
): Result<ProductAnswer<MultiVenueExecution>> {
  const found = assetOffers(asset, books);
  if (!found.ok) return found;
  const route = allocate(found.value, books, terms);
  if (route.length === 0) {
    const detail = `No venue of ${asset.canonicalId} shows depth within 100 bps of its mid on ${terms.side === 'worse' ? 'both sides' : 'that side'}`;
    return fail({ code: 'no_data', detail });
  }
  const body = routeBody(asset, terms, route, NOTE);
  const quotes = found.value.map(({ quote }) => quote);
  return ok(bookAnswer(body, quotes, listing(asset)));
}

/** The answer that a route of at least one leg makes. */
export function routeBody(
  asset: AssetRows,
  { size, side, rankBy }: ExecutionTerms,
  route: readonly RouteLeg[],
  note: string,
): MultiVenueExecution {
  const total = route.reduce((sum, leg) => sum + leg.allocated_usd, 0);
  const body = {
    ticker: asset.ticker,
    canonical_id: asset.canonicalId,
    size_usd: size,
    side,
    rank_by: rankBy,
    total_filled_usd: total,
    unfilled_usd: Math.max(0, size - total),
    venues_used: route.length,
    blended_slippage_bps: blend(route, (leg) => leg.slippage_bps) ?? 0,
    blended_taker_fee_bps: blend(route, (leg) => leg.taker_fee_bps),
    blended_all_in_bps: blend(route, (leg) => leg.all_in_bps),
    route,
    naive_note: note,
  };
  return withReasons(body, {
    blended_taker_fee_bps: 'not_published',
    blended_all_in_bps: 'not_published',
  });
}

/** Mean weighted by allocation; null where it is not known of a leg. */
function blend(route: readonly RouteLeg[], bpsOf: (leg: RouteLeg) => number | null): number | null {
  let total = 0;
  let weighted = 0;
  for (const leg of route) {
    const bps = bpsOf(leg);
    if (bps === null) return null;
    total += leg.allocated_usd;
    weighted += leg.allocated_usd * bps;
  }
  return weighted / total;
}

function allocate(offers: readonly Offer[], books: BookView, terms: ExecutionTerms): readonly RouteLeg[] {
  const { size, side } = terms;
  const costAt = ({ quote }: Offer, usd: number) => slippageBps(quote, books, side, usd);
  const order = offers
    .map((offer) => ({ offer, slippageBps: costAt(offer, Math.min(size, fillableUsd(offer.quote, side))) }))
    .sort(byCost(terms));
  const legs: RouteLeg[] = [];
  let left: number = size;
  for (const { offer } of order) {
    const allocated = Math.min(left, fillableUsd(offer.quote, side));
    const slippage = costAt(offer, allocated);
    if (slippage === undefined) continue;
    legs.push(routeLeg(offer, side, allocated, slippage));
    left -= allocated;
    if (left <= 0) break;
  }
  return legs;
}

/** @param slippage of the allocation, bps of the venue's mid */
export function routeLeg(
  offer: Offer,
  side: ExecutionTerms['side'],
  allocatedUsd: number,
  slippage: number,
): RouteLeg {
  const { quote } = offer;
  const leg = {
    venue: quote.venue,
    ...takingCost(offer, slippage),
    allocated_usd: allocatedUsd,
    slippage_bps: slippage,
    best_bid: quote.bestBid,
    best_ask: quote.bestAsk,
    max_fillable_usd: fillableUsd(quote, side),
    ...lineageOf(quote),
  };
  return withReasons(leg, costReasons(slippage));
}

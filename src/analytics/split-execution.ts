import { DEPTH_WINDOW_BPS } from '../domain/depth-quote.ts';
import { fail, ok, type Result } from '../domain/errors.ts';
import type { BookQuote, BookView } from '../market/books/book-view.ts';
import { assetOffers, bookAnswer, listing, type Offer } from './book-source.ts';
import type { ExecutionTerms } from './execution-cost.ts';
import { type MultiVenueExecution, type RouteLeg, routeBody, routeLeg } from './multi-venue-execution.ts';
import { type WithReasons, withReasons } from './null-reason.ts';
import type { ProductAnswer } from './product-answer.ts';
import { type CommonQuote, commonQuote, type QuoteRates } from './quote-rates.ts';
import type { AssetRows } from './select.ts';
import { cheapestSingle, cheapestSplit, type Ladder } from './split-route.ts';

/** A leg of a split, with the price that it is filled at on average, in the venue's own quote currency. */
export interface SplitLeg extends RouteLeg {
  readonly average_price: number;
}

/** What a split achieves. Costs in bps of `reference_price`, fees included; negative where prices are better than it. */
export interface SplitFigures extends WithReasons {
  /** The side that was split: the dearer one where none was asked for. */
  readonly side: 'buy' | 'sell';
  /** Mean of the highest bid and the lowest ask of all venues taken into account. */
  readonly reference_price: number;
  /** Currency of `reference_price`; null where prices in unlike currencies are compared as they are. */
  readonly reference_quote: string | null;
  readonly quote_adjusted: boolean;
  readonly all_in_bps: number;
  /** The one venue that fills all of the size at the least cost; null where none does. */
  readonly best_single: { readonly venue: string; readonly all_in_bps: number } | null;
  /** How much dearer that one is. */
  readonly saved_bps: number | null;
  readonly venues_max: number;
  /** Venues that take no part, as their taker fee is not known. */
  readonly venues_without_fee: readonly string[];
}

export interface SplitExecution extends MultiVenueExecution {
  readonly route: readonly SplitLeg[];
  readonly split: SplitFigures;
}

const NOTE =
  'Split by marginal all-in price: levels of all visible books within 100 bps of their mid, taker fee included, cheapest first, each side for size_usd / reference_price units. slippage_bps of a leg is against its own mid; split.all_in_bps is against reference_price, so price differences between venues count in it. Naive baseline: funding, latency and hidden size are excluded; not a profit forecast.';

/** The levels of an offer on a side in common currency, and what they are made of. */
interface Side {
  readonly offer: Offer;
  readonly ladder: Ladder;
  /** [price in the venue's quote, units], best first. */
  readonly prices: readonly (readonly [price: number, units: number])[];
}

export interface SplitTerms extends ExecutionTerms {
  /** Most venues that the route may use. */
  readonly venuesMax: number;
}

/**
 * Route of size / reference price units that costs least with taker fees, exact over the visible levels: a unit costs
 * price x (1 + fee) to buy and brings price x (1 - fee) when sold, and levels of all venues are taken in that order.
 * For `worse` both sides are split and the one that fills less, then the dearer one, is answered. 404 no_data where no venue with a known fee fills anything.
 */
export function splitExecution(
  asset: AssetRows,
  books: BookView,
  terms: SplitTerms,
  rates: () => QuoteRates,
): Result<ProductAnswer<SplitExecution>> {
  const found = assetOffers(asset, books);
  if (!found.ok) return found;
  const offers = found.value.filter(({ takerFeeBps }) => takerFeeBps !== undefined);
  const without = found.value.flatMap((offer) => (offers.includes(offer) ? [] : [offer.quote.venue]));
  const sides = terms.side === 'worse' ? (['buy', 'sell'] as const) : [terms.side];
  const common = commonOf(offers, rates);
  const [route] = sides
    .flatMap((side) => splitSide(offers, books, { ...terms, direction: side }, common) ?? [])
    .sort(byFillThenCost);
  if (route === undefined) {
    const detail = `No venue of ${asset.canonicalId} with a known taker fee shows depth within 100 bps of its mid`;
    return fail({ code: 'no_data', detail });
  }
  const figures = { ...route.figures, venues_max: terms.venuesMax, venues_without_fee: without };
  const body = {
    ...routeBody(asset, terms, route.legs, NOTE),
    route: route.legs,
    split: withReasons(figures, {
      best_single: 'too_thin',
      saved_bps: 'too_thin',
      reference_quote: 'rate_unknown',
    }),
  };
  const quotes = found.value.map(({ quote }) => quote);
  return ok(bookAnswer(body, quotes, listing(asset)));
}

/** What fills less comes first, then what is dearer. */
function byFillThenCost(a: SplitRoute, b: SplitRoute): number {
  const filled = Math.round(a.filledUsd) - Math.round(b.filledUsd);
  return filled !== 0 ? filled : b.figures.all_in_bps - a.figures.all_in_bps;
}

/** Rates are measured only where quotes differ. */
function commonOf(offers: readonly Offer[], rates: () => QuoteRates): CommonQuote {
  const quotes = [...new Set(offers.map(({ row }) => row.quote))];
  return commonQuote(quotes, quotes.length > 1 ? rates() : { unit: 'USD', of: () => undefined, list: [] });
}

interface SplitRoute {
  readonly filledUsd: number;
  readonly legs: readonly SplitLeg[];
  readonly figures: Omit<SplitFigures, 'venues_max' | 'venues_without_fee'>;
}

function splitSide(
  offers: readonly Offer[],
  books: BookView,
  { direction, size, venuesMax }: SplitTerms & { readonly direction: 'buy' | 'sell' },
  common: CommonQuote,
): SplitRoute | undefined {
  const worth = ({ row }: Offer): number => common.factor(row.quote);
  const bid = Math.max(...offers.map((offer) => offer.quote.bestBid * worth(offer)));
  const ask = Math.min(...offers.map((offer) => offer.quote.bestAsk * worth(offer)));
  const reference = (bid + ask) / 2;
  const sides = offers.map((offer) => sideOf(offer, books, direction, worth(offer)));
  const ladders = sides.map(({ ladder }) => ladder);
  const wanted = size / reference;
  const split = cheapestSplit(ladders, wanted, venuesMax);
  if (!(split.filled > 0)) return undefined;
  const sign = direction === 'buy' ? 1 : -1;
  const bpsOf = (cost: number, units: number): number =>
    ((cost / units - sign * reference) / reference) * 10_000;
  const single = cheapestSingle(ladders, wanted);
  const venue = single && offers[single.ladder]?.quote.venue;
  const allIn = bpsOf(split.cost, split.filled);
  const alone = single && bpsOf(single.cost, wanted);
  return {
    filledUsd: split.filled * reference,
    legs: sides.flatMap((one, i) => legOf(one, direction, split.units[i] ?? 0, reference) ?? []),
    figures: {
      side: direction,
      reference_price: reference,
      reference_quote: common.quote,
      quote_adjusted: common.adjusted,
      all_in_bps: allIn,
      best_single: venue === undefined || alone === undefined ? null : { venue, all_in_bps: alone },
      saved_bps: alone === undefined ? null : Math.max(0, alone - allIn),
    },
  };
}

const ALL_LEVELS = Number.MAX_SAFE_INTEGER;

function sideOf(offer: Offer, books: BookView, direction: 'buy' | 'sell', factor: number): Side {
  const { quote, takerFeeBps = Number.NaN } = offer;
  const levels = books.levels(quote.venue, quote.symbol, ALL_LEVELS);
  const mid = (quote.bestBid + quote.bestAsk) / 2;
  const isVisible = ([price]: readonly [number, number]): boolean =>
    Math.abs(price - mid) <= (mid * DEPTH_WINDOW_BPS) / 10_000;
  const prices = ((direction === 'buy' ? levels?.asks : levels?.bids) ?? []).filter(isVisible);
  const fee = takerFeeBps / 10_000;
  const costOf = (price: number): number => (direction === 'buy' ? price * (1 + fee) : -price * (1 - fee));
  return {
    offer,
    prices,
    ladder: { levels: prices.map(([price, units]) => [costOf(price) * factor, units]) },
  };
}

function legOf(
  { offer, prices }: Side,
  direction: 'buy' | 'sell',
  units: number,
  reference: number,
): SplitLeg | undefined {
  if (!(units > 0)) return undefined;
  const price = averagePrice(prices, units);
  return {
    ...routeLeg(offer, direction, units * reference, slippageOf(price, offer.quote)),
    average_price: price,
  };
}

function averagePrice(prices: Side['prices'], units: number): number {
  let left = units;
  let value = 0;
  for (const [price, size] of prices) {
    const taken = Math.min(left, size);
    value += taken * price;
    left -= taken;
    if (left <= 0) break;
  }
  return value / units;
}

function slippageOf(price: number, { bestBid, bestAsk }: BookQuote): number {
  const mid = (bestBid + bestAsk) / 2;
  return (Math.abs(price - mid) / mid) * 10_000;
}

import Type, { type Static } from 'typebox';
import { DEPTH_WINDOW_BPS } from '../../domain/depth-quote.ts';
import { fail, ok, type Result } from '../../domain/errors.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { BookQuote, BookSide, BookView } from '../../market/books/book-view.ts';
import { groupBy } from '../../runtime/group-by.ts';
import { nullReasons, withReasons } from '../answer/null-reason.ts';
import type { ProductAnswer } from '../answer/product-answer.ts';
import { boolean, integer, nullable, number, oneOf, text, venueName } from '../answer/schema.ts';
import { feesNote, PUBLIC_FEES } from '../rows/asked-fees.ts';
import { currencyOf } from '../rows/currency.ts';
import { type CommonQuote, commonQuote, type QuoteRates } from '../rows/quote-rates.ts';
import type { AssetRows } from '../rows/select.ts';
import { assetBookAnswer, assetBooks } from './asset-books.ts';
import type { VenueBook } from './book-source.ts';
import { fillableUsd } from './leg-book.ts';
import { type RouteLeg, routeBody, routeFields, routeLeg } from './route.ts';
import { cheapestSingle, cheapestSplit, type Ladder } from './split-route.ts';
import type { ExecutionTerms } from './terms.ts';

/**
 * The result of a split. Costs in bps of `reference_price`, fees included; negative where prices are better
 * than it.
 */
export const splitSchema = Type.Object(
  {
    side: oneOf(['buy', 'sell'], {
      description:
        'The side that was split; with side=worse the one that fills less, of two that fill as much the dearer one',
    }),
    reference_price: number('Mean of the highest bid and the lowest ask of the venues taken into account'),
    reference_quote: nullable(text('Currency of reference_price')),
    quote_adjusted: boolean(
      'Always true: all prices are in one currency, since venues whose currency has no measured rate are left out',
    ),
    all_in_bps: number('Mean price with taker fees against reference_price; can be negative'),
    best_single: nullable(
      Type.Object(
        { venue: venueName, all_in_bps: number('The same for all of the size on this venue') },
        { description: 'The cheapest venue that fills the size alone; null where none does' },
      ),
    ),
    saved_bps: nullable(number('best_single.all_in_bps - all_in_bps, at least 0')),
    venues_max: integer('Most venues that the route may use', 1),
    venues_without_fee: Type.Array(venueName, {
      description: 'Venues left out, as their taker fee is not public',
    }),
    venues_without_rate: Type.Array(venueName, {
      description: 'Venues left out, as no measured rate ties their quote currency to that of the others',
    }),
    ...nullReasons,
  },
  { description: 'Only with split=true: what the split achieves' },
);
type SplitFigures = Static<typeof splitSchema>;

const splitRoute = Type.Object({ ...routeFields, split: splitSchema, ...nullReasons });

const NOTE =
  'Split by marginal all-in price: levels of all visible books within 100 bps of their mid, up to the max_fillable_usd of each venue, taker fee included, cheapest first, each side for size_usd / reference_price units. slippage_bps of a leg is against its own mid; split.all_in_bps is against reference_price, so price differences between venues count in it. Naive baseline: funding, latency and hidden size are excluded; not a profit forecast.';

/** The levels of an offer on a side in common currency, with their sources. */
interface Side {
  readonly offer: VenueBook;
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
 * For `worse` both sides are split and the one that fills less, then the dearer one, is answered. 404 no_data
 * where no venue with a known fee fills anything.
 */
export function splitExecution(
  asset: AssetRows,
  books: BookView,
  terms: SplitTerms,
  rates: () => QuoteRates,
): Result<ProductAnswer<Static<typeof splitRoute>>> {
  const found = assetBooks(asset, books, terms.fees);
  if (!found.ok) return found;
  const priced = found.value.offers.filter(({ takerFeeBps }) => takerFeeBps !== undefined);
  const { offers, common } = inOneCurrency(priced, rates);
  const sides = terms.side === 'worse' ? (['buy', 'sell'] as const) : [terms.side];
  const [route] = sides
    .flatMap((side) => splitSide(offers, books, { ...terms, direction: side }, common) ?? [])
    .sort(byFillThenCost);
  if (route === undefined) {
    const detail = `No venue of ${asset.canonicalId} with a known taker fee shows depth within 100 bps of its mid`;
    return fail({ code: 'no_data', detail });
  }
  const figures: SplitFigures = {
    ...route.figures,
    venues_max: terms.venuesMax,
    venues_without_fee: venuesBesides(found.value.offers, priced),
    venues_without_rate: venuesBesides(priced, offers),
  };
  const body = {
    ...routeBody(found.value, terms, route.legs, NOTE + feesNote(terms.fees ?? PUBLIC_FEES)),
    split: withReasons(figures, {
      best_single: 'too_thin',
      saved_bps: 'too_thin',
    }),
  };
  return ok(assetBookAnswer(body, found.value));
}

/** Incomplete fills come first, then the dearer ones. */
function byFillThenCost(a: SplitRoute, b: SplitRoute): number {
  const filled = Math.round(a.filledUsd) - Math.round(b.filledUsd);
  return filled !== 0 ? filled : b.figures.all_in_bps - a.figures.all_in_bps;
}

/** Venues of the offers that are not among those that were chosen. */
const venuesBesides = (offers: readonly VenueBook[], chosen: readonly VenueBook[]): VenueId[] =>
  offers.flatMap((offer) => (chosen.includes(offer) ? [] : [offer.quote.venue]));

/** Offers whose prices can be brought to one currency. */
interface OneCurrency {
  readonly offers: readonly VenueBook[];
  readonly common: CommonQuote;
}

/**
 * Those whose currency has a rate; where none has, those of the currency that most venues quote in, the first of equals.
 * Rates are measured only where currencies differ.
 */
function inOneCurrency(offers: readonly VenueBook[], rates: () => QuoteRates): OneCurrency {
  const byCurrency = groupBy(offers, ({ row }) => currencyOf(row.quote));
  const known = byCurrency.size > 1 ? rates() : NO_RATES;
  const tied = offers.filter(({ row }) => known.of(row.quote) !== undefined);
  const [widest = []] = [...byCurrency.values()].sort((a, b) => b.length - a.length);
  const chosen = tied.length > 0 ? tied : widest;
  const quotes = chosen.map(({ row }) => row.quote);
  return { offers: chosen, common: commonQuote(quotes, known) };
}

const NO_RATES: QuoteRates = { unit: 'USD', of: () => undefined, list: [] };

interface SplitRoute {
  readonly filledUsd: number;
  readonly legs: readonly RouteLeg[];
  readonly figures: Omit<SplitFigures, 'venues_max' | 'venues_without_fee' | 'venues_without_rate'>;
}

function splitSide(
  offers: readonly VenueBook[],
  books: BookView,
  { direction, size, venuesMax, capUsd }: SplitTerms & { readonly direction: 'buy' | 'sell' },
  common: CommonQuote,
): SplitRoute | undefined {
  const worth = ({ row }: VenueBook): number => common.factor(row.quote);
  const bid = Math.max(...offers.map((offer) => offer.quote.bestBid * worth(offer)));
  const ask = Math.min(...offers.map((offer) => offer.quote.bestAsk * worth(offer)));
  const reference = (bid + ask) / 2;
  const sides = offers.map((offer) => {
    const most = fillableUsd(offer.quote, direction, capUsd) / reference;
    return sideOf(offer, books, { direction, factor: worth(offer), most });
  });
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
    legs: sides.flatMap(
      (side, i) => legOf(side, { side: direction, capUsd }, split.units[i] ?? 0, reference) ?? [],
    ),
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

interface SideTerms {
  readonly direction: 'buy' | 'sell';
  /** Worth of the venue's quote currency in the common one. */
  readonly factor: number;
  /** Units that may be allocated to the venue at most. */
  readonly most: number;
}

function sideOf(offer: VenueBook, books: BookView, { direction, factor, most }: SideTerms): Side {
  const { quote, takerFeeBps = Number.NaN } = offer;
  const levels = books.levels(quote.venue, quote.symbol, ALL_LEVELS);
  const mid = (quote.bestBid + quote.bestAsk) / 2;
  const isVisible = ([price]: readonly [number, number]): boolean =>
    Math.abs(price - mid) <= (mid * DEPTH_WINDOW_BPS) / 10_000;
  const visible = ((direction === 'buy' ? levels?.asks : levels?.bids) ?? []).filter(isVisible);
  const prices = firstUnits(visible, most);
  const fee = takerFeeBps / 10_000;
  const costOf = (price: number): number => (direction === 'buy' ? price * (1 + fee) : -price * (1 - fee));
  return {
    offer,
    prices,
    ladder: { levels: prices.map(([price, units]) => [costOf(price) * factor, units]) },
  };
}

/** The best levels up to so many units, the last one in part. */
function firstUnits(levels: BookSide, most: number): Side['prices'] {
  const taken: [number, number][] = [];
  let left = most;
  for (const [price, units] of levels) {
    if (!(left > 0)) break;
    taken.push([price, Math.min(units, left)]);
    left -= units;
  }
  return taken;
}

function legOf(
  { offer, prices }: Side,
  terms: Pick<ExecutionTerms, 'side' | 'capUsd'>,
  units: number,
  reference: number,
): RouteLeg | undefined {
  if (!(units > 0)) return undefined;
  const price = averagePrice(prices, units);
  // The last digit of a sum of units may lie above the cap that they were cut to.
  const allocated = Math.min(units * reference, fillableUsd(offer.quote, terms.side, terms.capUsd));
  return {
    ...routeLeg(offer, terms, allocated, slippageOf(price, offer.quote)),
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

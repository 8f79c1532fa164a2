import Type, { type Static } from 'typebox';
import { badParameter, fail, ok, type Result } from '../domain/errors.ts';
import type { BookView } from '../market/books/book-view.ts';
import { nullReasons, withReasons } from './answer/null-reason.ts';
import type { ProductAnswer } from './answer/product-answer.ts';
import { assetBookAnswer, assetBooks, sizedBooksOfAsset } from './books/asset-books.ts';
import type { VenueBook } from './books/book-source.ts';
import { byCost, costReasons, rankBps } from './books/execution-cost.ts';
import { fillableUsd, slippageBps } from './books/leg-book.ts';
import { type RouteLeg, routeBody, routeFields, routeLeg } from './books/route.ts';
import { splitExecution, splitSchema } from './books/split-execution.ts';
import { type ExecutionTerms, findExecution, termsOf, termsQuery } from './books/terms.ts';
import { choosesVenues } from './choice/chooses.ts';
import { defineProduct } from './define-product.ts';
import example from './examples/orderbook-multi-venue-execution.json' with { type: 'json' };
import { feesNote, PUBLIC_FEES } from './rows/asked-fees.ts';
import { legTermsParameter, withLegTerms } from './rows/leg-terms.ts';
import { quoteRates } from './rows/quote-rates.ts';
import type { AssetRows } from './rows/select.ts';

/** More than are tracked. */
const MAX_VENUES = 100;

const query = Type.Object({
  ...termsQuery.properties,
  split: Type.Boolean({
    default: false,
    description:
      'true: by marginal price, with taker fee over the levels of all venues, whatever rank_by says, instead of venue after venue',
  }),
  venues_max: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_VENUES,
      description: 'With split=true: most venues that the route may use; all when not given',
    }),
  ),
  contract_terms: legTermsParameter,
});

const answer = Type.Object({ ...routeFields, split: Type.Optional(splitSchema), ...nullReasons });

export const orderbookMultiVenueExecution = defineProduct({
  id: 'orderbook-multi-venue-execution',
  path: '/v1/orderbook/multi-venue-execution',
  access: 'paid',
  summary: 'Route of a size over venues',
  description:
    'Greedy route of 1,000, 5,000 or 10,000 USD of a ticker: venues in the order of their slippage, each filled up to its visible depth until the size is filled, with slippage and taker fee of each leg at its allocation, the blend, and what stays unfilled. split=true routes by marginal all-in price over all books instead, stated against the best single venue.',
  tags: ['orderbook', 'execution', 'routing'],
  dependsOn: 'books',
  choice: choosesVenues,
  revisedAt: '2026-11-29T07:35:00.000Z',
  query,
  answer,
  example: { request: '/v1/orderbook/multi-venue-execution?ticker=BTC&size_usd=10000', answer: example },
  find: (asked, ports) => {
    if (asked.venues_max === undefined || asked.split) return findExecution(asked, ports);
    return fail(badParameter('venues_max', 'counts with split=true only'));
  },
  books: ({ asset }, asked) => sizedBooksOfAsset(asset, asked),
  compute: ({ asset, fees }, { books, market }, asked) => {
    const terms = termsOf(asked, fees);
    const venuesMax = asked.venues_max ?? MAX_VENUES;
    const made: Result<ProductAnswer<Static<typeof answer>>> = asked.split
      ? splitExecution(asset, books, { ...terms, venuesMax }, () => quoteRates(market))
      : multiVenueExecution(asset, books, terms);
    return made.ok && asked.contract_terms === true ? ok(withTerms(made.value, asset)) : made;
  },
});

/** A route with the terms of each leg's contract. */
function withTerms(
  { body, ...lineage }: ProductAnswer<Static<typeof answer>>,
  { rows, listedBy }: AssetRows,
): ProductAnswer<Static<typeof answer>> {
  const infos = new Map(listedBy.map(({ info }) => [info.id, info]));
  const route = body.route.map((leg) => {
    const row = rows.find(({ venue, symbol }) => venue === leg.venue && symbol === leg.venue_symbol);
    return row === undefined ? leg : withLegTerms(leg, row, infos);
  });
  return { ...lineage, body: { ...body, route } };
}

const NOTE =
  'Greedy: venues by slippage (rank_by=all_in: slippage plus taker fee) at the smaller of the size and their cap, each filled up to its visible depth within 100 bps of its mid; rank_bps is what they are walked by. The route is listed by the slippage (rank_by=all_in: all_in_bps) that its legs show at their allocation. all_in_bps adds the public taker fee. Naive baseline: funding, latency and price differences between venues are excluded, fees too where slippage ranks; not a profit forecast.';

/**
 * Route of a size over venues: in the order of their cost at min(size, cap) each takes what is left up to its cap.
 * Each leg's slippage is at its allocation, and the route is listed by it: the last leg to be filled takes less than it could,
 * and so shows less than it was ranked by; blended = sum(allocation x bps) / sum(allocation).
 * 404 no_data where no venue fills anything.
 */
export function multiVenueExecution(
  asset: AssetRows,
  books: BookView,
  terms: ExecutionTerms,
): Result<ProductAnswer<Static<typeof answer>>> {
  const found = assetBooks(asset, books, terms.fees);
  if (!found.ok) return found;
  const route = allocate(found.value.offers, books, terms);
  if (route.length === 0) {
    const detail = `No venue of ${asset.canonicalId} shows depth within 100 bps of its mid on ${terms.side === 'worse' ? 'both sides' : 'that side'}`;
    return fail({ code: 'no_data', detail });
  }
  const body = routeBody(found.value, terms, route, NOTE + feesNote(terms.fees ?? PUBLIC_FEES));
  return ok(assetBookAnswer(body, found.value));
}

function allocate(offers: readonly VenueBook[], books: BookView, terms: ExecutionTerms): readonly RouteLeg[] {
  const { size, side, capUsd } = terms;
  const costAt = ({ quote }: VenueBook, usd: number) => slippageBps(quote, books, side, usd, capUsd);
  const capOf = ({ quote }: VenueBook) => fillableUsd(quote, side, capUsd);
  const order = offers
    .map((offer) => ({ offer, slippageBps: costAt(offer, Math.min(size, capOf(offer))) }))
    .sort(byCost(terms));
  const legs: RouteLeg[] = [];
  let left: number = size;
  for (const costed of order) {
    const { offer } = costed;
    const allocated = Math.min(left, capOf(offer));
    const slippage = costAt(offer, allocated);
    if (slippage === undefined) continue;
    const leg = { ...routeLeg(offer, terms, allocated, slippage), rank_bps: rankBps(costed, terms) ?? null };
    legs.push(withReasons(leg, { ...costReasons(slippage), rank_bps: 'not_published' }));
    left -= allocated;
    if (left <= 0) break;
  }
  return legs;
}

import Type, { type Static } from 'typebox';
import { nullReasons, withReasons } from '../answer/null-reason.ts';
import { integer, nullable, number, text, venueName } from '../answer/schema.ts';
import { legTermsField } from '../rows/leg-terms.ts';
import { type AssetBooks, bookCoverageFields, statedBookCoverage } from './asset-books.ts';
import { lineageOf, quoteLineage, type VenueBook } from './book-source.ts';
import { costFields, costReasons, maxFillable, takingCost, touchFields } from './execution-cost.ts';
import { fillableUsd } from './leg-book.ts';
import { type ExecutionTerms, statedTerms, termsFields } from './terms.ts';

/** Everything in USD or bps of the venue's mid. */
export const routeLegSchema = Type.Object({
  venue: venueName,
  ...costFields,
  allocated_usd: number('Part of the size that goes here'),
  slippage_bps: number('At the allocation, of the side or the worse of both'),
  rank_bps: Type.Optional(
    nullable(
      number(
        'Without split: what the walk takes venues by, slippage (rank_by=all_in: and taker fee) at the smaller of size_usd and max_fillable_usd',
      ),
    ),
  ),
  ...touchFields,
  max_fillable_usd: maxFillable,
  average_price: Type.Optional(
    number(
      'With split=true: what a unit costs on average before the fee, in the quote currency of the venue',
    ),
  ),
  ...quoteLineage,
  ...legTermsField,
  ...nullReasons,
});
export type RouteLeg = Static<typeof routeLegSchema>;

/** A route over venues. */
export const routeFields = {
  ...termsFields,
  total_filled_usd: number('Filled by all legs'),
  unfilled_usd: number('Left over'),
  venues_used: integer('Legs', 1),
  ...bookCoverageFields,
  blended_slippage_bps: number('Mean of the legs weighted by allocation'),
  blended_taker_fee_bps: nullable(number('The same of the taker fees; null where one is not known')),
  blended_all_in_bps: nullable(number('The same of slippage plus taker fee')),
  route: Type.Array(routeLegSchema, {
    description:
      'Lowest slippage_bps first, with rank_by=all_in lowest all_in_bps, null last. The leg that took what was left shows the slippage of its part, so it may stand before legs that were filled before it',
  }),
  naive_note: text('What the figures leave out'),
};

const routed = Type.Object({ ...routeFields, ...nullReasons });
type Routed = Static<typeof routed>;

/** The answer that a route of at least one leg makes. */
export function routeBody(
  found: AssetBooks,
  terms: ExecutionTerms,
  route: readonly RouteLeg[],
  note: string,
): Routed {
  const total = route.reduce((sum, leg) => sum + leg.allocated_usd, 0);
  const body: Routed = {
    ...statedTerms(found.asset, terms),
    total_filled_usd: total,
    unfilled_usd: Math.max(0, terms.size - total),
    venues_used: route.length,
    ...statedBookCoverage(found),
    blended_slippage_bps: blend(route, (leg) => leg.slippage_bps) ?? 0,
    blended_taker_fee_bps: blend(route, (leg) => leg.taker_fee_bps),
    blended_all_in_bps: blend(route, (leg) => leg.all_in_bps),
    route: [...route].sort(byShown(terms)),
    naive_note: note,
  };
  return withReasons(body, {
    blended_taker_fee_bps: 'not_published',
    blended_all_in_bps: 'not_published',
  });
}

/** By the figure that the terms rank by, as the legs show it; what is not known comes last, of equals the larger leg first. */
function byShown({ rankBy }: ExecutionTerms): (a: RouteLeg, b: RouteLeg) => number {
  const shown = (leg: RouteLeg): number =>
    (rankBy === 'all_in' ? leg.all_in_bps : leg.slippage_bps) ?? Number.POSITIVE_INFINITY;
  return (a, b) => (shown(a) === shown(b) ? b.allocated_usd - a.allocated_usd : shown(a) - shown(b));
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

/** @param slippage of the allocation, bps of the venue's mid */
export function routeLeg(
  offer: VenueBook,
  { side, capUsd }: Pick<ExecutionTerms, 'side' | 'capUsd'>,
  allocatedUsd: number,
  slippage: number,
): RouteLeg {
  const { quote } = offer;
  const leg: RouteLeg = {
    venue: quote.venue,
    ...takingCost(offer, slippage),
    allocated_usd: allocatedUsd,
    slippage_bps: slippage,
    best_bid: quote.bestBid,
    best_ask: quote.bestAsk,
    max_fillable_usd: fillableUsd(quote, side, capUsd),
    ...lineageOf(quote),
  };
  return withReasons(leg, costReasons(slippage));
}

import Type, { type Static } from 'typebox';
import type { BookView } from '../../market/books/book-view.ts';
import { nullReasons, withReasons } from '../answer/null-reason.ts';
import { nullable, number, venueName } from '../answer/schema.ts';
import { feesNote, PUBLIC_FEES } from '../rows/asked-fees.ts';
import { lineageOf, quoteLineage, type VenueBook } from './book-source.ts';
import {
  byCost,
  type CostedVenueBook,
  costFields,
  costReasons,
  depthFields,
  sizedSlippage,
  takingCost,
  touchFields,
} from './execution-cost.ts';
import { fillableUsd } from './leg-book.ts';
import type { ExecutionTerms } from './terms.ts';

/** Everything in USD or bps of the mid. */
export const venueSlippageSchema = Type.Object({
  venue: venueName,
  ...costFields,
  ...touchFields,
  ...depthFields,
  slippage_bps: nullable(
    number(
      'Fill price against the venue’s mid, of the side or the worse of both, bps; null where it does not fill',
    ),
  ),
  fills_usd: Type.Optional(
    number('With notional_usd: what the visible book fills of it, USD; of the side, or the smaller side'),
  ),
  ...quoteLineage,
  ...nullReasons,
});
type VenueSlippage = Static<typeof venueSlippageSchema>;

const NOTE =
  'slippage_bps is the volume-weighted fill price against the venue’s own mid, from visible levels within 100 bps: of the side asked for, or the worse of both. all_in_bps adds the public taker fee. Naive baseline: price differences between venues, funding and latency are excluded, fees too where slippage ranks; not a profit forecast.';

export const slippageNote = ({ fees = PUBLIC_FEES }: ExecutionTerms): string => NOTE + feesNote(fees);

/** Cheapest first; venues that do not fill the size come last, deepest first. */
export function ranked(
  offers: readonly VenueBook[],
  books: BookView,
  terms: ExecutionTerms,
): readonly CostedVenueBook[] {
  return offers
    .map((offer) => ({ offer, slippageBps: sizedSlippage(offer, books, terms) }))
    .sort(byCost(terms));
}

export function venueSlippage({ offer, slippageBps }: CostedVenueBook, terms: ExecutionTerms): VenueSlippage {
  const { quote } = offer;
  const { side, size, capUsd } = terms;
  const row: VenueSlippage = {
    venue: quote.venue,
    ...takingCost(offer, slippageBps),
    best_bid: quote.bestBid,
    best_ask: quote.bestAsk,
    spread_bps: quote.spreadBps,
    slippage_bps: slippageBps ?? null,
    bid_depth_usd: quote.bidDepthUsd,
    ask_depth_usd: quote.askDepthUsd,
    ...(capUsd !== undefined && { fills_usd: fillableUsd(quote, side, size) }),
    ...lineageOf(quote),
  };
  return withReasons(row, { slippage_bps: 'too_thin', ...costReasons(slippageBps) });
}

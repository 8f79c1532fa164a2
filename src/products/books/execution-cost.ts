import type { BookQuote, BookView } from '../../market/books/book-view.ts';
import type { NullReason } from '../answer/null-reason.ts';
import { nullable, number } from '../answer/schema.ts';
import { makerField, statedMaker } from '../rows/asked-fees.ts';
import { contractFields, contractName } from '../rows/contract-name.ts';
import type { VenueBook } from './book-source.ts';
import { fillableUsd, slippageBps } from './leg-book.ts';
import type { ExecutionTerms } from './terms.ts';

/** The best prices of a book. */
export const touchFields = {
  best_bid: number('Quote currency per unit of the base asset'),
  best_ask: number('Quote currency per unit of the base asset'),
};

export const depthFields = {
  spread_bps: number('(best_ask - best_bid) / mid x 10000'),
  bid_depth_usd: number('Visible bids within 100 bps of the mid, USD'),
  ask_depth_usd: number('Visible asks within 100 bps of the mid, USD'),
};

export const maxFillable = number(
  'min(bid_depth_usd, ask_depth_usd, 10000), with notional_usd 250000; of the side alone where side is buy or sell',
);

/** The cost of taking on one contract, bps of the notional. */
export const costFields = {
  ...contractFields,
  taker_fee_bps: nullable(
    number('Public taker fee of the contract, base tier; the one of fees where it names the venue'),
  ),
  all_in_bps: nullable(number('Slippage plus taker fee; null where either is')),
  ...makerField,
};

/** The worse of both sides at a quoted size, as it was measured with the book. */
const MEASURED: ReadonlyMap<number, (quote: BookQuote) => number | undefined> = new Map([
  [1000, (quote) => quote.slippage1kBps],
  [5000, (quote) => quote.slippage5kBps],
  [10_000, (quote) => quote.slippage10kBps],
]);

/** Slippage at a size on a side, bps; undefined where the visible book does not fill it. */
export function sizedSlippage(
  { quote }: Pick<VenueBook, 'quote'>,
  books: BookView,
  { size, side, capUsd }: Pick<ExecutionTerms, 'size' | 'side' | 'capUsd'>,
): number | undefined {
  const measured = side === 'worse' ? MEASURED.get(size) : undefined;
  return measured === undefined ? slippageBps(quote, books, side, size, capUsd) : measured(quote);
}

const allInBps = (slippage: number | undefined, feeBps: number | undefined): number | undefined =>
  slippage === undefined || feeBps === undefined ? undefined : slippage + feeBps;

export function takingCost(offer: Omit<VenueBook, 'quote'>, slippage: number | undefined) {
  return {
    ...contractName(offer.row),
    taker_fee_bps: offer.takerFeeBps ?? null,
    all_in_bps: allInBps(slippage, offer.takerFeeBps) ?? null,
    ...statedMaker(offer.makerFeeBps),
  };
}

/** Reasons for which parts of a cost are null. */
export function costReasons(slippage: number | undefined): {
  readonly taker_fee_bps: NullReason;
  readonly all_in_bps: NullReason;
} {
  return {
    taker_fee_bps: 'not_published',
    all_in_bps: slippage === undefined ? 'too_thin' : 'not_published',
  };
}

/** An offer with its slippage, bps. */
export interface CostedVenueBook {
  readonly offer: VenueBook;
  readonly slippageBps: number | undefined;
}

/** The cost that the terms rank an offer by, bps; undefined where a part of it is not known. */
export function rankBps(
  { offer, slippageBps }: CostedVenueBook,
  { rankBy }: Pick<ExecutionTerms, 'rankBy'>,
): number | undefined {
  return rankBy === 'all_in' ? allInBps(slippageBps, offer.takerFeeBps) : slippageBps;
}

/** Cheapest first by what the terms rank by; what is not known comes last, then the deeper book first. */
export function byCost({
  rankBy,
  side,
  capUsd,
}: ExecutionTerms): (a: CostedVenueBook, b: CostedVenueBook) => number {
  const slippageOf = ({ slippageBps: bps }: CostedVenueBook): number => bps ?? Number.POSITIVE_INFINITY;
  const allInOf = ({ offer, slippageBps: bps }: CostedVenueBook): number =>
    allInBps(bps, offer.takerFeeBps) ?? Number.POSITIVE_INFINITY;
  const costs = rankBy === 'all_in' ? [allInOf, slippageOf] : [slippageOf];
  return (a, b) => {
    for (const cost of costs) if (cost(a) !== cost(b)) return cost(a) - cost(b);
    return fillableUsd(b.offer.quote, side, capUsd) - fillableUsd(a.offer.quote, side, capUsd);
  };
}

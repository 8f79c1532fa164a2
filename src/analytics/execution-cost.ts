import type { BookQuote, BookView } from '../market/books/book-view.ts';
import type { Offer } from './book-source.ts';
import { type ContractName, contractName } from './contract-name.ts';
import { fillableUsd, slippageBps, type TradeSide } from './leg-book.ts';
import type { NullReason } from './null-reason.ts';

export type QuoteSize = 1000 | 5000 | 10_000;

/** What is to be traded, and by what venues are ranked. */
export interface ExecutionTerms {
  readonly size: QuoteSize;
  readonly side: TradeSide;
  readonly rankBy: 'slippage' | 'all_in';
}

/** What taking costs on one contract, bps of the notional. */
export interface TakingCost extends ContractName {
  /** Public taker fee of the contract, base tier. */
  readonly taker_fee_bps: number | null;
  /** Slippage plus taker fee; null where either is not known. */
  readonly all_in_bps: number | null;
}

/** The worse of both sides at a quoted size, as it was measured with the book. */
function slippageAt(quote: BookQuote, size: QuoteSize): number | undefined {
  if (size === 1000) return quote.slippage1kBps;
  return size === 5000 ? quote.slippage5kBps : quote.slippage10kBps;
}

/** Slippage at a quoted size on a side, bps; undefined where the visible book does not fill it. */
export function sizedSlippage(
  { quote }: Pick<Offer, 'quote'>,
  books: BookView,
  { size, side }: Pick<ExecutionTerms, 'size' | 'side'>,
): number | undefined {
  return side === 'worse' ? slippageAt(quote, size) : slippageBps(quote, books, side, size);
}

const allInBps = (slippage: number | undefined, feeBps: number | undefined): number | undefined =>
  slippage === undefined || feeBps === undefined ? undefined : slippage + feeBps;

export function takingCost(offer: Omit<Offer, 'quote'>, slippage: number | undefined): TakingCost {
  return {
    ...contractName(offer.row),
    taker_fee_bps: offer.takerFeeBps ?? null,
    all_in_bps: allInBps(slippage, offer.takerFeeBps) ?? null,
  };
}

/** Why parts of a cost are null. */
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
export interface CostedOffer {
  readonly offer: Offer;
  readonly slippageBps: number | undefined;
}

/** Cheapest first by what the terms rank by; what is not known comes last, then the deeper book first. */
export function byCost({ rankBy, side }: ExecutionTerms): (a: CostedOffer, b: CostedOffer) => number {
  const slippageOf = ({ slippageBps: bps }: CostedOffer): number => bps ?? Number.POSITIVE_INFINITY;
  const allInOf = ({ offer, slippageBps: bps }: CostedOffer): number =>
    allInBps(bps, offer.takerFeeBps) ?? Number.POSITIVE_INFINITY;
  const costs = rankBy === 'all_in' ? [allInOf, slippageOf] : [slippageOf];
  return (a, b) => {
    for (const cost of costs) if (cost(a) !== cost(b)) return cost(a) - cost(b);
    return fillableUsd(b.offer.quote, side) - fillableUsd(a.offer.quote, side);
  };
}

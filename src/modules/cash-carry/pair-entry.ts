import { type LegBook, type PairDepth, pairDepth } from '../../products/books/leg-book.ts';
import type { Direction } from './carry-figures.ts';
import { type SpotLeg, usdOf } from './spot-leg.ts';

const BPS = 10_000;

/** Slippage of crossing half the spread, which is all that a touch says. */
export const halfSpreadBps = ({ bestBid, bestAsk }: LegBook): number =>
  ((bestAsk - bestBid) / (bestAsk + bestBid)) * BPS;

/** Slippage of entering the leg that is sold and the one that is bought. */
export interface Entry {
  readonly saleBps: number;
  readonly purchaseBps: number;
  readonly at: 'size' | 'touch';
}

/** The size that a pair is entered at. */
export interface PairSize {
  /** Up to what can be borrowed; its class is that of both books alone. */
  readonly depth: PairDepth;
  readonly entry: Entry | undefined;
  /** The reason for which a pair of two known books has no entry. */
  readonly unsized: 'too_thin' | 'beyond_borrow_limit';
}

/**
 * The most that can be borrowed of a leg's coin, USD: the smallest of the limits of an account and of what the venue has left
 * to lend; undefined where it says none of them.
 */
export function borrowLimitUsd({ borrow, price }: SpotLeg): number | undefined {
  const { limitUsd, limit, available } = borrow;
  const stated = [limitUsd, usdOf(price, limit), usdOf(price, available)].flatMap((usd) => usd ?? []);
  return stated.length === 0 ? undefined : Math.min(...stated);
}

/** The most that a direction sells of a coin, USD: without a stated limit there is no end. */
const mostSold = (way: Direction, spot: SpotLeg): number =>
  (way === 'long_spot' ? undefined : borrowLimitUsd(spot)) ?? Number.POSITIVE_INFINITY;

/** A book into which nothing is sold beyond a size. */
function soldUpTo(book: LegBook, mostUsd: number): LegBook {
  const { asked } = book;
  const upTo = (usd: 1000 | 5000 | 10_000): number | undefined =>
    usd > mostUsd ? undefined : book.sell[usd];
  const isAskedBeyond = asked !== undefined && asked.usd > mostUsd;
  return {
    ...book,
    sell: { 1000: upTo(1000), 5000: upTo(5000), 10000: upTo(10_000) },
    asked: isAskedBeyond ? { ...asked, sell: undefined } : asked,
  };
}

/** The entry by two books, at a size. */
function sizedEntry(way: Direction, spot: SpotLeg, sold: LegBook, bought: LegBook): PairSize {
  const ofBooks = pairDepth(sold, bought);
  const limited = pairDepth(soldUpTo(sold, mostSold(way, spot)), bought);
  const { entry } = limited;
  return {
    depth: { ...limited, depthClass: ofBooks.depthClass },
    entry: entry && { saleBps: entry.saleBps, purchaseBps: entry.purchaseBps, at: 'size' },
    unsized: ofBooks.entry === undefined ? 'too_thin' : 'beyond_borrow_limit',
  };
}

/** @param askedUsd the size that was asked for, which a touch does not know */
export function pairSize(
  way: Direction,
  spot: SpotLeg,
  perpBook: LegBook | undefined,
  { atTouch, askedUsd = 0 }: { readonly atTouch: boolean; readonly askedUsd: number | undefined },
): PairSize {
  const [sold, bought] = way === 'long_spot' ? [perpBook, spot.book] : [spot.book, perpBook];
  if (sold === undefined || bought === undefined)
    return { depth: pairDepth(sold, bought), entry: undefined, unsized: 'too_thin' };
  if (!atTouch) return sizedEntry(way, spot, sold, bought);
  const entry = { saleBps: halfSpreadBps(sold), purchaseBps: halfSpreadBps(bought), at: 'touch' as const };
  return {
    depth: pairDepth(sold, bought),
    entry: askedUsd > mostSold(way, spot) ? undefined : entry,
    unsized: 'beyond_borrow_limit',
  };
}

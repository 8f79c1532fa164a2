import type { UnixMs } from '../../domain/units.ts';
import type { BookView } from '../../market/books/book-view.ts';
import type { MarketRow, TrackedVenue } from '../../market/view.ts';
import { type LegBook, legBooksOf, type PairDepth } from '../../products/books/leg-book.ts';
import { type AskedFees, takerFeeOf } from '../../products/rows/asked-fees.ts';
import type { QuoteRates } from '../../products/rows/quote-rates.ts';
import { APART_LIMIT, apartFrom, type QuoteTie, quoteTie } from '../spot-market/market/apart.ts';
import {
  type CarryFigures,
  type CarryTerms,
  carryFigures,
  type Direction,
  type UnknownInput,
} from './carry-figures.ts';
import { type Entry, type PairSize, pairSize } from './pair-entry.ts';
import { type UsualGapRow, usualBpsOf, usualGapRows } from './shown-gap.ts';
import { type SpotLeg, smaller, touchBook, usdOf, visibleUsd } from './spot-leg.ts';
import type { PastGapOf } from './usual-gaps.ts';

/** A price of spot that is further from the index, as a fraction, may be of another asset: the answer says so. */
export const APART_WARNING = 0.01;

const BPS = 10_000;

/** A perpetual as a leg. */
export interface PerpLeg {
  readonly row: MarketRow;
  /** The smaller side of what is visible of its book, USD; of the touch in a scan. */
  readonly visibleUsd: number | undefined;
  readonly takerFeeBps: number | undefined;
  readonly book: LegBook | undefined;
}

/** A perpetual with its fee, that is priced by its book. @param notionalUsd a size of the buyer's own */
export function bookedPerp(
  row: MarketRow,
  venue: TrackedVenue | undefined,
  fees: AskedFees,
  books: BookView,
  notionalUsd: number | undefined,
): PerpLeg {
  const book = legBooksOf(books, notionalUsd)(row);
  const takerFeeBps = takerFeeOf(row, venue, fees);
  return { row, takerFeeBps, book, visibleUsd: book && visibleUsd(books.quote(row.venue, row.symbol)) };
}

/** The same priced by the touch of its row. @param books tell what is visible at the touch, where one is followed */
export function touchedPerp(
  row: MarketRow,
  venue: TrackedVenue | undefined,
  fees: AskedFees,
  books: BookView,
): PerpLeg {
  const { bestBid, bestAsk, updatedAt } = row;
  const seen = books.top(row.venue, row.symbol);
  const top = seen?.isFresh === true ? seen : undefined;
  const sides = [usdOf(top?.bestBid, top?.bidSize), usdOf(top?.bestAsk, top?.askSize)];
  const book = touchBook(bestBid, bestAsk, updatedAt);
  return { row, takerFeeBps: takerFeeOf(row, venue, fees), book, visibleUsd: smaller(sides) };
}

/** The prices of a pair in one currency. */
export interface PairGap {
  /** Currency of both prices; undefined where no rate ties the two quotes together. */
  readonly quote: string | undefined;
  /** Worth of one unit of the perpetual's quote in the spot's. */
  readonly quoteRate: number | undefined;
  /** The leg that is sold over the one that is bought, at the prices that both are entered at, less 1: bps. */
  readonly executableBps: number | undefined;
  readonly pricedAt: 'size' | 'touch' | undefined;
  readonly spotPrice: number | undefined;
  readonly perpPrice: number | undefined;
  /** The same of the middles. */
  readonly levelBps: number | undefined;
}

/** One way to hold a spot market and a perpetual of one asset against each other. */
export interface CarryPair {
  readonly direction: Direction;
  readonly spot: SpotLeg;
  readonly perp: PerpLeg;
  /** Spot price against the perpetual's index, else its mark, less 1, in one currency where a rate is known: bps. */
  readonly apartBps: number;
  readonly depth: PairDepth;
  readonly unsized: PairSize['unsized'];
  readonly gap: PairGap;
  /** The usual values of its level, by days before now; empty where these are not asked for. */
  readonly usual: readonly UsualGapRow[];
  /** The one that the gap's cost is counted from, bps; undefined is not known and taken as 0. */
  readonly usualBps: number | undefined;
  /** Of entering each leg, bps. */
  readonly spotSlippageBps: number | undefined;
  readonly perpSlippageBps: number | undefined;
  readonly figures: CarryFigures;
  readonly unknown: readonly UnknownInput[];
}

/** The time of the borrow rate that a pair rests on; none where it borrows nothing, or no rate is known. */
export const borrowTimes = ({ direction, spot: { borrow } }: CarryPair): readonly UnixMs[] =>
  direction === 'short_spot' && borrow.hourly !== undefined && borrow.receivedAt !== undefined
    ? [borrow.receivedAt]
    : [];

/** The terms that all pairs of an answer share. */
export interface PairTerms {
  readonly rates: QuoteRates;
  readonly holdingDays: number;
  /** A pair is priced at the touch of both, and not at a size. */
  readonly atTouch: boolean;
  /** The size that was asked for, USD. */
  readonly askedUsd: number | undefined;
  /** Undefined where usual gaps are not asked for. */
  readonly pastGap: PastGapOf | undefined;
}

const midOf = ({ bestBid, bestAsk }: LegBook): number => (bestBid + bestAsk) / 2;

function gapOf(
  direction: Direction,
  spot: SpotLeg,
  perp: PerpLeg,
  entry: Entry | undefined,
  tie: QuoteTie | undefined,
): PairGap {
  const { book: spotBook } = spot;
  const { book: perpBook } = perp;
  const isLong = direction === 'long_spot';
  if (spotBook === undefined || perpBook === undefined || tie === undefined)
    return {
      quote: tie?.quote,
      quoteRate: tie === undefined ? undefined : tie.perp / tie.spot,
      executableBps: undefined,
      pricedAt: undefined,
      spotPrice: undefined,
      perpPrice: undefined,
      levelBps: undefined,
    };
  const spotMid = midOf(spotBook) * tie.spot;
  const perpMid = midOf(perpBook) * tie.perp;
  const slip = (bps: number | undefined, sign: number): number | undefined =>
    bps === undefined ? undefined : 1 + (sign * bps) / BPS;
  const spotSlip = isLong ? slip(entry?.purchaseBps, 1) : slip(entry?.saleBps, -1);
  const perpSlip = isLong ? slip(entry?.saleBps, -1) : slip(entry?.purchaseBps, 1);
  const spotPrice = spotSlip === undefined ? undefined : spotMid * spotSlip;
  const perpPrice = perpSlip === undefined ? undefined : perpMid * perpSlip;
  const over = (a: number, b: number): number => ((isLong ? b / a : a / b) - 1) * BPS;
  return {
    quote: tie.quote,
    quoteRate: tie.perp / tie.spot,
    executableBps:
      spotPrice === undefined || perpPrice === undefined ? undefined : over(spotPrice, perpPrice),
    pricedAt: entry?.at,
    spotPrice,
    perpPrice,
    levelBps: over(spotMid, perpMid),
  };
}

function unknownInputs(
  terms: CarryTerms,
  spot: SpotLeg,
  perp: PerpLeg,
  entry: Entry | undefined,
  tie: QuoteTie | undefined,
): readonly UnknownInput[] {
  const absent: readonly (readonly [UnknownInput, boolean])[] = [
    ['funding_rate', terms.rate8h === undefined],
    ['borrow_rate', terms.direction === 'short_spot' && terms.borrowHourly === undefined],
    ['spot_taker_fee', terms.spotFeeBps === undefined],
    ['perp_taker_fee', terms.perpFeeBps === undefined],
    ['spot_book', spot.book === undefined],
    ['perp_book', perp.book === undefined],
    ['size', spot.book !== undefined && perp.book !== undefined && entry === undefined],
    ['quote_rate', tie === undefined],
  ];
  return absent.flatMap(([name, isAbsent]) => (isAbsent ? [name] : []));
}

/**
 * A pair in one direction; undefined where the spot price is more than 3 % from the perpetual's index, or either is unknown: no pair
 * joins what may be two assets.
 */
export function carryPair(
  direction: Direction,
  spot: SpotLeg,
  perp: PerpLeg,
  pairTerms: PairTerms,
): CarryPair | undefined {
  const { rates, holdingDays, pastGap } = pairTerms;
  const tie = quoteTie(spot.market.quote, perp.row.quote, rates);
  const apart = spot.price === undefined ? undefined : apartFrom(spot.price, perp.row, tie);
  if (apart === undefined || Math.abs(apart) > APART_LIMIT) return undefined;
  const isLong = direction === 'long_spot';
  const { depth, entry, unsized } = pairSize(direction, spot, perp.book, pairTerms);
  const gap = gapOf(direction, spot, perp, entry, tie);
  const usual = pastGap ? usualGapRows(direction, pastGap(spot.market, perp.row), gap.quoteRate) : [];
  const usualBps = usualBpsOf(usual);
  const { rateFresh, rate8h } = perp.row;
  const terms = {
    direction,
    rate8h: rateFresh ? rate8h : undefined,
    borrowHourly: isLong ? undefined : spot.borrow.hourly,
    spotFeeBps: spot.takerFeeBps,
    perpFeeBps: perp.takerFeeBps,
    spotSlippageBps: isLong ? entry?.purchaseBps : entry?.saleBps,
    perpSlippageBps: isLong ? entry?.saleBps : entry?.purchaseBps,
    levelBps: gap.levelBps,
    usualBps,
    holdingDays,
  };
  return {
    direction,
    spot,
    perp,
    apartBps: apart * BPS,
    depth,
    unsized,
    gap,
    usual,
    usualBps,
    spotSlippageBps: terms.spotSlippageBps,
    perpSlippageBps: terms.perpSlippageBps,
    figures: carryFigures(terms),
    unknown: unknownInputs(terms, spot, perp, entry, tie),
  };
}

/** The best first: by net APR after all costs, then by income; what is not known comes last. */
export function byNetApr(a: CarryPair, b: CarryPair): number {
  return (
    descending(a.figures.allInNetAprPct, b.figures.allInNetAprPct) ||
    descending(a.figures.income8hBps, b.figures.income8hBps) ||
    descending(a.figures.funding8hBps, b.figures.funding8hBps) ||
    (nameOf(a) < nameOf(b) ? -1 : 1)
  );
}

const descending = (a: number | undefined, b: number | undefined): number => {
  const left = a ?? Number.NEGATIVE_INFINITY;
  const right = b ?? Number.NEGATIVE_INFINITY;
  return left === right ? 0 : right - left;
};

const nameOf = ({ direction, spot: { market }, perp: { row } }: CarryPair): string =>
  [market.venue, market.symbol, row.venue, row.symbol, direction].join('\t');

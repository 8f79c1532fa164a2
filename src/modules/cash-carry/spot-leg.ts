import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { BookQuote } from '../../market/books/book-view.ts';
import type { MarketView } from '../../market/view.ts';
import { type LegBook, legBooksOf } from '../../products/books/leg-book.ts';
import type { SpotMarket, SpotTicker } from '../spot/spot-rows.ts';
import { bookStateOf, type NoBook } from '../spot-market/books/book-state.ts';
import { type BorrowReason, borrowReason } from '../spot-market/borrow/borrow-reason.ts';
import type { BorrowState, BorrowView } from '../spot-market/borrow/borrow-table.ts';
import { midOf, priceOf } from '../spot-market/market/spot-price.ts';
import type { SpotRow } from '../spot-market/market/spot-table.ts';
import type { SpotSide } from '../spot-market/port.ts';
import { spotTakerFee } from '../spot-market/spot-fee.ts';

/** The cost of borrowing a spot market's coin where it is traded. */
export interface CarryBorrow {
  /** Fraction an hour. */
  readonly hourly: number | undefined;
  /** The reason for which there is none. */
  readonly reason: BorrowReason | undefined;
  /** When the venue stated the rate, or that it lends none; undefined where it stated nothing of the coin. */
  readonly receivedAt: UnixMs | undefined;
  /** The most that one account may borrow, coins; undefined where the venue does not say. */
  readonly limit: number | undefined;
  readonly limitUsd: number | undefined;
  /** Coins that the venue can still lend to all accounts; undefined where it does not say. */
  readonly available: number | undefined;
}

/** A spot market as a leg. */
export interface SpotLeg {
  readonly market: SpotMarket;
  readonly ticker: SpotTicker;
  readonly receivedAt: UnixMs;
  /** The price by which it is held against the perpetuals: the middle of its book, else of its touch, else its last trade. */
  readonly price: number | undefined;
  /** Bps: that of the request where it names the venue. */
  readonly takerFeeBps: number | undefined;
  readonly borrow: CarryBorrow;
  /** The book that it is priced by; in a scan the touch of the bulk quotes, as a book. */
  readonly book: LegBook | undefined;
  readonly bookReason: NoBook | undefined;
  /** The smaller side of what is visible of that, USD. */
  readonly visibleUsd: number | undefined;
}

/** The smaller of some values that are all known. */
export const smaller = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.flatMap((value) => (value === undefined ? [] : [value]));
  return known.length < values.length ? undefined : Math.min(...known);
};

/** Value of a level; undefined where the venue states no size. */
export const usdOf = (price: number | undefined, size: number | undefined): number | undefined =>
  price === undefined || size === undefined ? undefined : price * size;

/** The smaller side of a book within 100 bps of the middle, USD. */
export const visibleUsd = (quote: BookQuote | undefined): number | undefined =>
  quote && Math.min(quote.bidDepthUsd, quote.askDepthUsd);

/** Spot markets of venues that are live: nothing of another one is in an answer over several venues. */
export const liveSpot =
  (rowsOf: (canonicalId: string) => readonly SpotRow[], market: Pick<MarketView, 'venue'>) =>
  (canonicalId: string): readonly SpotRow[] =>
    rowsOf(canonicalId).filter((row) => market.venue(row.market.venue)?.status === 'live');

/** The reason for which the coin cannot be borrowed and sold at a market now: of a rate alone nobody can sell. */
function shortReason(
  borrow: BorrowView,
  { venue, ticker, canShort }: SpotMarket,
  state: BorrowState | undefined,
  now: UnixMs,
): BorrowReason | undefined {
  const reason = borrowReason(borrow, venue, ticker, now);
  if (reason !== undefined) return reason;
  if (canShort === false) return 'not_borrowable';
  const { available, limit, limitUsd } = state?.row ?? {};
  return [available, limit, limitUsd].some((amount) => amount === 0) ? 'closed' : undefined;
}

/** The parts of a leg that do not depend on how it is priced. */
function legOf({ market, ticker, receivedAt }: SpotRow, { borrow }: SpotSide, now: UnixMs, fees: SpotFees) {
  const state = borrow.stateOf(market.venue, market.ticker);
  const reason = shortReason(borrow, market, state, now);
  const row = state?.row;
  return {
    market,
    ticker,
    receivedAt,
    takerFeeBps: fees.get(market.venue) ?? spotTakerFee(market, ticker),
    borrow: {
      hourly: reason === undefined ? row?.ratePerHour : undefined,
      reason,
      receivedAt: state?.receivedAt,
      limit: row?.limit,
      limitUsd: row?.limitUsd,
      available: row?.available,
    },
  };
}

/** Spot taker fees that a request names, bps by venue. */
export type SpotFees = ReadonlyMap<VenueId, number>;

/** A leg that is priced by its book. @param notionalUsd a size of the buyer's own */
export function bookedLeg(
  row: SpotRow,
  side: SpotSide,
  now: UnixMs,
  fees: SpotFees,
  notionalUsd: number | undefined,
): SpotLeg {
  const books = side.books.passive;
  const book = legBooksOf(books, notionalUsd)(row.market);
  const price = book === undefined ? priceOf(row.ticker) : (book.bestBid + book.bestAsk) / 2;
  const { quote, reason } = bookStateOf(row.market, books);
  const leg = legOf(row, side, now, fees);
  return { ...leg, price, book, bookReason: reason, visibleUsd: visibleUsd(quote) };
}

/** A leg that is priced by the touch of its bulk quotes; without a touch it has no price to trade at. */
export function touchedLeg(row: SpotRow, side: SpotSide, now: UnixMs, fees: SpotFees): SpotLeg {
  const { ticker, receivedAt } = row;
  const isMarket = midOf(ticker) !== undefined;
  return {
    ...legOf(row, side, now, fees),
    price: priceOf(ticker),
    book: isMarket ? touchBook(ticker.bestBid, ticker.bestAsk, receivedAt) : undefined,
    bookReason: undefined,
    visibleUsd: smaller([
      usdOf(ticker.bestBid, ticker.bestBidSize),
      usdOf(ticker.bestAsk, ticker.bestAskSize),
    ]),
  };
}

const NOTHING = { 1000: undefined, 5000: undefined, 10000: undefined };

/** A touch in the form of a book that fills nothing beyond it; undefined without two sides in order. */
export function touchBook(
  bestBid: number | undefined,
  bestAsk: number | undefined,
  confirmedAt: UnixMs,
): LegBook | undefined {
  if (bestBid === undefined || bestAsk === undefined || !(bestBid > 0) || bestBid >= bestAsk)
    return undefined;
  return { bestBid, bestAsk, confirmedAt, sell: NOTHING, buy: NOTHING };
}

import { FILL_CAP_USD, QUOTE_SIZES_USD } from '../../domain/depth-quote.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { BookQuote, BookView } from '../../market/books/book-view.ts';
import type { MarketRow } from '../../market/view.ts';

type QuoteSize = (typeof QUOTE_SIZES_USD)[number];

/** Slippage at each quoted size, bps of the mid; undefined where the visible book does not fill it. */
export type SizedSlippage = Readonly<Record<QuoteSize, number | undefined>>;

/** A size that was asked for beside the quoted ones, USD; slippage is undefined where the visible book does not fill it. */
export interface AskedSize {
  readonly usd: number;
  /** Most of it that both sides of the visible book fill. */
  readonly fillsUsd: number;
  readonly sell: number | undefined;
  readonly buy: number | undefined;
}

/** A book as it stood when it was read: values alone, so that one answer never prices a leg by two states of its book. */
export interface LegBook {
  readonly bestBid: number;
  readonly bestAsk: number;
  /** When the venue last confirmed the book. */
  readonly confirmedAt: UnixMs;
  /** Of a market sale, into the bids. */
  readonly sell: SizedSlippage;
  /** Of a market purchase, from the asks. */
  readonly buy: SizedSlippage;
  /** Only where a size of its own was asked for. */
  readonly asked?: AskedSize | undefined;
}

/** The fresh book behind a row; undefined where there is none. */
export type LegBooks = (row: MarketRow) => LegBook | undefined;

/** The side of a market order; `worse`: the dearer of both. */
export const TRADE_SIDES = ['buy', 'sell', 'worse'] as const;
export type TradeSide = (typeof TRADE_SIDES)[number];

/**
 * Largest size that is quoted, USD: visible depth of the side (the smaller of both for `worse`), at most the cap.
 *
 * @param capUsd default 10,000
 */
export function fillableUsd(quote: BookQuote, side: TradeSide, capUsd: number = FILL_CAP_USD): number {
  const { bidDepthUsd, askDepthUsd } = quote;
  if (side === 'worse') return Math.min(bidDepthUsd, askDepthUsd, capUsd);
  return Math.min(side === 'buy' ? askDepthUsd : bidDepthUsd, capUsd);
}

/**
 * |volume-weighted fill price - mid| / mid x 10000 of selling into the bids or buying from the asks, or the worse of
 * both; undefined above `fillableUsd`, and for nothing.
 *
 * @param capUsd default 10,000
 */
export function slippageBps(
  quote: BookQuote,
  books: BookView,
  side: TradeSide,
  sizeUsd: number,
  capUsd: number = FILL_CAP_USD,
): number | undefined {
  if (!(sizeUsd > 0 && sizeUsd <= fillableUsd(quote, side, capUsd))) return undefined;
  if (side !== 'worse') return oneSideBps(quote, books, side, sizeUsd);
  const sale = oneSideBps(quote, books, 'sell', sizeUsd);
  const purchase = oneSideBps(quote, books, 'buy', sizeUsd);
  return sale === undefined || purchase === undefined ? undefined : Math.max(sale, purchase);
}

function oneSideBps(
  quote: BookQuote,
  books: BookView,
  side: 'sell' | 'buy',
  sizeUsd: number,
): number | undefined {
  const price = books.fillPrice(quote.venue, quote.symbol, side, sizeUsd);
  const mid = (quote.bestBid + quote.bestAsk) / 2;
  return price === undefined ? undefined : (Math.abs(price - mid) / mid) * 10_000;
}

/**
 * Legs over the books that are served; a book that is not fresh does not count.
 *
 * @param notionalUsd a size of its own that legs are to be priced at, beside the quoted ones
 */
export function legBooksOf(
  books: BookView,
  notionalUsd?: number,
): (name: Pick<MarketRow, 'venue' | 'symbol'>) => LegBook | undefined {
  return ({ venue, symbol }) => {
    const quote = books.quote(venue, symbol);
    if (quote === undefined || !quote.isFresh) return undefined;
    const { bestBid, bestAsk, confirmedAt } = quote;
    return {
      bestBid,
      bestAsk,
      confirmedAt,
      sell: sizedSlippage(quote, books, 'sell'),
      buy: sizedSlippage(quote, books, 'buy'),
      asked: notionalUsd === undefined ? undefined : askedSize(quote, books, notionalUsd),
    };
  };
}

/** A leg is no larger than both sides of its book are deep, so that it can be left again. */
function sizedSlippage(quote: BookQuote, books: BookView, side: 'sell' | 'buy'): SizedSlippage {
  const at = (size: QuoteSize): number | undefined =>
    size <= quote.maxFillableUsd ? slippageBps(quote, books, side, size) : undefined;
  return { 1000: at(1000), 5000: at(5000), 10000: at(10_000) };
}

/** The same at any size. */
function askedSize(quote: BookQuote, books: BookView, usd: number): AskedSize {
  const fillsUsd = fillableUsd(quote, 'worse', usd);
  const at = (side: 'sell' | 'buy'): number | undefined =>
    fillsUsd < usd ? undefined : slippageBps(quote, books, side, usd, usd);
  return { usd, fillsUsd, sell: at('sell'), buy: at('buy') };
}

export const DEPTH_CLASSES = ['deep', 'medium', 'thin', 'none', 'unknown'] as const;

/** A size that both books of a pair fill, and what it costs on each leg. */
export interface PairEntry {
  readonly sizeUsd: number;
  /** Slippage of the short leg into the bids and of the long leg from the asks, bps. */
  readonly saleBps: number;
  readonly purchaseBps: number;
}

/** Both legs of a pair at the largest size that both books fill, or at the one that was asked for. */
export interface PairDepth {
  /** Undefined where a leg has no fresh book: that nothing is known does not mean that nothing is there. */
  readonly maxNotionalUsd: 0 | QuoteSize | undefined;
  /** At the size that was asked for, else at the largest one; undefined where the books do not fill that. */
  readonly entry: PairEntry | undefined;
  readonly depthClass: (typeof DEPTH_CLASSES)[number];
}

/** Slippage of both legs at which a pair that fills the largest size still counts as deep, bps. */
const DEEP_BPS = 5;

/**
 * The short leg sells into the bids, the long leg buys from the asks. max_notional_usd = the largest of 1,000, 5,000
 * and 10,000 that both books fill, 0 where they do not fill the least; the entry is at that size, or at the one that
 * was asked for. Class: deep (10k at no more than 5 bps on either leg), medium (10k), thin (1k), none; unknown without a book.
 */
export function pairDepth(short: LegBook | undefined, long: LegBook | undefined): PairDepth {
  if (short === undefined || long === undefined)
    return { maxNotionalUsd: undefined, entry: undefined, depthClass: 'unknown' };
  const askedFor = askedEntry(short.asked, long.asked);
  const isAsked = short.asked !== undefined;
  for (const size of [...QUOTE_SIZES_USD].reverse()) {
    const sale = short.sell[size];
    const purchase = long.buy[size];
    if (sale === undefined || purchase === undefined) continue;
    const deep = sale <= DEEP_BPS && purchase <= DEEP_BPS;
    const depthClass = size < 10_000 ? 'thin' : deep ? 'deep' : 'medium';
    const largest = { sizeUsd: size, saleBps: sale, purchaseBps: purchase };
    return { maxNotionalUsd: size, entry: isAsked ? askedFor : largest, depthClass };
  }
  return { maxNotionalUsd: 0, entry: askedFor, depthClass: 'none' };
}

function askedEntry(short: AskedSize | undefined, long: AskedSize | undefined): PairEntry | undefined {
  const saleBps = short?.sell;
  const purchaseBps = long?.buy;
  if (short === undefined || saleBps === undefined || purchaseBps === undefined) return undefined;
  return { sizeUsd: short.usd, saleBps, purchaseBps };
}

/** Slippage of both legs together, bps. */
export const entrySlippage = ({ entry }: PairDepth): number | undefined =>
  entry && entry.saleBps + entry.purchaseBps;

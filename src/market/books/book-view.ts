import type { BookSource, DepthFigures } from '../../domain/depth-quote.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';

/** The way in which a book was obtained, and the time. */
export interface BookLineage {
  readonly venue: VenueId;
  readonly symbol: string;
  readonly source: BookSource;
  /** The last message of this book, or the last snapshot over REST. */
  readonly confirmedAt: UnixMs;
  readonly ageMs: number;
  /** Confirmed within a minute: counts for execution, aggregates and signals. */
  readonly isFresh: boolean;
}

/** Best prices with their sizes, per ticker unit. A side that is empty is undefined. */
export interface BookTop extends BookLineage {
  readonly bestBid: number | undefined;
  readonly bidSize: number | undefined;
  readonly bestAsk: number | undefined;
  readonly askSize: number | undefined;
}

/** Spread and slippage of a book, with its source and time. */
export interface BookQuote extends BookLineage, DepthFigures {
  readonly bidSize: number;
  readonly askSize: number;
}

/** [price per ticker unit, size in ticker units], best first. */
export type BookSide = readonly (readonly [price: number, size: number])[];

/**
 * Read side of the books. Only what is in order is served: a book whose continuity broke, that is crossed or that
 * was cut short is not here until it is mended. Reading a book tells that it is wanted.
 */
export interface BookView {
  /** Grows with every change of any book. */
  readonly version: number;
  /** The same books for readers of very many: reading these does not mark them as wanted. */
  readonly passive: BookView;
  /** Undefined also where a side is missing. */
  quote(venue: VenueId, symbol: string): BookQuote | undefined;
  top(venue: VenueId, symbol: string): BookTop | undefined;
  /** Volume-weighted price of selling into the bids or buying from the asks; undefined when the side has less. */
  fillPrice(venue: VenueId, symbol: string, side: 'sell' | 'buy', sizeUsd: number): number | undefined;
  /**
   * True if a fresh book was first asked for within the last two seconds and has not come yet.
   *
   * @param usd depth that each side is wanted to have, USD: a snapshot that shows less is waited to be followed by another one,
   * since books that nobody asks for may be read with fewer levels
   */
  isPending(venue: VenueId, symbol: string, usd?: number): boolean;
  /** Levels of both sides, best first, at most so many a side. */
  levels(
    venue: VenueId,
    symbol: string,
    most: number,
  ): { readonly bids: BookSide; readonly asks: BookSide } | undefined;
  /** Books of a venue that are served and fresh. */
  liveBooks(venue: VenueId): number;
  /** Since when both sides of a contract's book have been empty. */
  emptySince(venue: VenueId, symbol: string): UnixMs | undefined;
}

import type { VenueId } from '../../../domain/venue.ts';
import type { BookView } from '../../../market/books/book-view.ts';

/** Books of spot markets. */
export interface SpotBookView extends BookView {
  readonly passive: SpotBookView;
  /** True where the bids and asks that came last cross: there is no book then. */
  isCrossed(venue: VenueId, symbol: string): boolean;
}

/** The calls for books. */
export interface BookCalls {
  /** True while a call for the book is under way that may be waited for. */
  isUnderWay(venue: VenueId, symbol: string): boolean;
  isCrossed(venue: VenueId, symbol: string): boolean;
}

/**
 * Books of a store that are fetched when they are read. A book that is there is pending as well while a newer one is under way: else a
 * reader who comes once a minute would always be served the book of the last time.
 */
export function spotBookView(view: BookView, calls: BookCalls): SpotBookView {
  const isCrossed: SpotBookView['isCrossed'] = (venue, symbol) => calls.isCrossed(venue, symbol);
  const isPending: SpotBookView['isPending'] = (venue, symbol, usd) => {
    // A look is an ask, and may begin the call.
    const isAwaited = view.isPending(venue, symbol, usd) && !isCrossed(venue, symbol);
    return isAwaited || calls.isUnderWay(venue, symbol);
  };
  const over = (books: BookView, waits: SpotBookView['isPending']): SpotBookView => ({
    get version() {
      return books.version;
    },
    get passive() {
      return passive;
    },
    quote: (venue, symbol) => books.quote(venue, symbol),
    top: (venue, symbol) => books.top(venue, symbol),
    fillPrice: (venue, symbol, side, sizeUsd) => books.fillPrice(venue, symbol, side, sizeUsd),
    levels: (venue, symbol, most) => books.levels(venue, symbol, most),
    liveBooks: (venue) => books.liveBooks(venue),
    emptySince: (venue, symbol) => books.emptySince(venue, symbol),
    isCrossed,
    isPending: waits,
  });
  const passive: SpotBookView = over(view.passive, () => false);
  return over(view, isPending);
}

import type { BookView } from '../../src/market/books/book-view.ts';
import { type SpotBookView, spotBookView } from '../../src/modules/spot-market/books/spot-book-view.ts';

/** Books that nobody fetches, as books of spot markets. */
export const plainBooks = (view: BookView): SpotBookView =>
  spotBookView(view, { isUnderWay: () => false, isCrossed: () => false });

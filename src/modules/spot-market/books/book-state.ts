import type { BookQuote, BookView } from '../../../market/books/book-view.ts';
import type { BookName } from '../../../products/define-product.ts';
import type { SpotMarket } from '../../spot/spot-rows.ts';
import { SPOT_PLANS } from '../plan/plans.ts';

/** The reason for which a market has no book. */
export type NoBook = 'not_read' | 'not_received' | 'one_sided';

/** True if books of a venue's spot markets are read at all. */
export const isBookRead = (venue: string): boolean =>
  SPOT_PLANS.find((plan) => plan.venue === venue)?.book !== undefined;

/** The fresh book of a market, or why there is none. */
export function bookStateOf(
  { venue, symbol }: Pick<SpotMarket, 'venue' | 'symbol'>,
  books: BookView,
): { readonly quote?: BookQuote; readonly reason?: NoBook } {
  if (!isBookRead(venue)) return { reason: 'not_read' };
  const quote = books.quote(venue, symbol);
  if (quote?.isFresh === true) return { quote };
  return { reason: books.top(venue, symbol)?.isFresh === true ? 'one_sided' : 'not_received' };
}

/** The books of markets as a plan names them: those that can be read. */
export const bookNames = (
  markets: readonly Pick<SpotMarket, 'venue' | 'symbol'>[],
  books: BookView,
): readonly BookName[] =>
  markets.flatMap(({ venue, symbol }) => (isBookRead(venue) ? [{ venue, symbol, of: books }] : []));

import type { BookQuote, BookView } from '../../../market/books/book-view.ts';
import type { NullReason } from '../../../products/answer/null-reason.ts';
import { oneOf } from '../../../products/answer/schema.ts';
import type { BookName } from '../../../products/define-product.ts';
import type { SpotMarket } from '../../spot/spot-rows.ts';
import type { SpotBookView } from './spot-book-view.ts';

/** Reasons for which a market has no book. */
export const NO_BOOK = {
  not_received: 'it has been asked for and has not come',
  one_sided: 'it has no two sides',
  crossed: 'its bids and asks cross',
} as const;
export type NoBook = keyof typeof NO_BOOK;
const NO_BOOK_WORDS = Object.keys(NO_BOOK) as readonly NoBook[];

/** The field of answers that says how a market's book is. */
export const bookWord = oneOf(['fresh', ...NO_BOOK_WORDS], {
  description: NO_BOOK_WORDS.map((word) => `${word}: ${NO_BOOK[word]}`).join('; '),
});

/** Reasons for which values of a market without a book are null. */
export const NULL_OF_NO_BOOK: Readonly<Record<NoBook, NullReason>> = {
  not_received: 'not_followed',
  one_sided: 'one_sided',
  crossed: 'crossed',
};

/** The fresh book of a market, or why there is none. */
export function bookStateOf(
  { venue, symbol }: Pick<SpotMarket, 'venue' | 'symbol'>,
  books: SpotBookView,
): { readonly quote?: BookQuote; readonly reason?: NoBook } {
  const quote = books.quote(venue, symbol);
  if (quote?.isFresh === true) return { quote };
  if (books.top(venue, symbol)?.isFresh === true) return { reason: 'one_sided' };
  return { reason: books.isCrossed(venue, symbol) ? 'crossed' : 'not_received' };
}

/** The books of markets as a plan names them. */
export const bookNames = (
  markets: readonly Pick<SpotMarket, 'venue' | 'symbol'>[],
  books: BookView,
): readonly BookName[] => markets.map(({ venue, symbol }) => ({ venue, symbol, of: books }));

import { iso } from '../../domain/clock.ts';
import { type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import { asMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { BookLineage, BookQuote, BookView } from '../../market/books/book-view.ts';
import type { MarketRow, TrackedVenue } from '../../market/view.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { ProductAnswer } from '../answer/product-answer.ts';
import { oneOf, timestamp } from '../answer/schema.ts';
import type { BookName } from '../define-product.ts';
import { notReady, type Pair } from '../rows/select.ts';

/** The source of a quote, and its age. */
export const quoteLineage = {
  source: oneOf(['stream', 'rest'], {
    description: 'stream: every message since a snapshot; rest: one snapshot',
  }),
  updated_at: timestamp('When the venue last confirmed the book'),
};

export const lineageOf = ({ source, confirmedAt }: BookLineage) => ({
  source,
  updated_at: iso(confirmedAt),
});

/** An answer made from books, with the venues that could have been in it. */
export function bookAnswer<Body>(
  body: Body,
  used: readonly BookLineage[],
  expected: readonly VenueId[],
): ProductAnswer<Body> {
  const venues = new Set(used.map(({ venue }) => venue));
  const oldest = Math.min(...used.map(({ confirmedAt }) => confirmedAt));
  return {
    body,
    asOf: used.length === 0 ? undefined : asMs(oldest),
    sources: { used: [...venues], missing: expected.filter((venue) => !venues.has(venue)) },
  };
}

/** Seconds after which a book that was asked for has had its turn. */
const FETCH_SECONDS = 2;
/** Books older than this are not served, as rows are not. */
export const OLDEST_BOOK_MS = 15 * MINUTE_MS;

/** Asking for a book makes the collector fetch it, so the next request may find it. */
export function bookMissing(what: string): Failure {
  return {
    code: 'not_ready',
    detail: `${what}; it has been asked for, try again shortly`,
    retryAfterSeconds: FETCH_SECONDS,
  };
}

/** True where the book of a contract is read now: not an indicative one, nor in closed hours, nor on a venue that is read by ccxt. */
export const isBookRead = ({ hasBook, marketOpen }: MarketRow, venue: TrackedVenue | undefined): boolean =>
  hasBook !== false && marketOpen !== false && venue?.info.source !== 'ccxt';

function whyUnread({ hasBook, marketOpen, opensAt }: MarketRow): string {
  if (hasBook === false) return 'orders are matched by request there';
  if (marketOpen !== false) return 'it is read by ccxt';
  return opensAt === undefined ? 'the market is closed now' : `the market is closed until ${iso(opensAt)}`;
}

/**
 * The reason for which a pair has no book: there never is one, it is asked for now, or the venue sends none.
 */
export function pairBookMissing({ row, ticker, venue }: Pair): Failure {
  if (!isBookRead(row, venue)) {
    return { code: 'no_data', detail: `${row.venue} has no order book of ${ticker} here: ${whyUnread(row)}` };
  }
  const what = `No order book of ${ticker} on ${row.venue} is in order at the moment`;
  if (venue.status === 'live') return bookMissing(what);
  return notReady(`${what}: the venue is ${venue.status}, nothing current comes from it`, [venue]);
}

/** The quote of one pair, at most 15 minutes old. 503 not_ready without a book that is in order. */
export function pairQuote(pair: Pair, books: BookView): Result<BookQuote> {
  const { venue, symbol, marketOpen } = pair.row;
  if (marketOpen === false) return fail(pairBookMissing(pair));
  const quote = books.quote(venue, symbol);
  return quote !== undefined && quote.ageMs <= OLDEST_BOOK_MS ? ok(quote) : fail(pairBookMissing(pair));
}

/** The quote of a contract where its book was confirmed within a minute. */
export function freshQuote(books: BookView, venue: VenueId, symbol: string): BookQuote | undefined {
  const quote = books.quote(venue, symbol);
  return quote?.isFresh === true ? quote : undefined;
}

/** A contract that can be traded now. */
export interface VenueBook {
  readonly row: MarketRow;
  readonly quote: BookQuote;
  /** Undefined where it is not public. */
  readonly takerFeeBps: number | undefined;
  /** Fee of an order that rests, where the request names one. */
  readonly makerFeeBps?: number | undefined;
}

/** The book that a pair is about, as a plan names it: none where none can come. */
export const pairBook = ({ row, venue }: Pair): readonly BookName[] =>
  venue.status === 'live' && isBookRead(row, venue) ? [row] : [];

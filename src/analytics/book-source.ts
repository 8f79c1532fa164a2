import { iso } from '../domain/clock.ts';
import { type Failure, fail, ok, type Result } from '../domain/errors.ts';
import { asMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { BookQuote, BookStanding, BookView } from '../market/books/book-view.ts';
import type { Fact } from './fact.ts';
import { type AssetRows, nothingUsable, type Pair, usableRows, venueIds } from './select.ts';

/** How a quote was obtained, and how old it is. */
export interface QuoteLineage {
  /** `stream`: every message since a whole book; `rest`: one whole book. */
  readonly source: BookStanding['source'];
  /** When the venue last confirmed the book. */
  readonly updated_at: string;
}

export const lineageOf = ({ source, confirmedAt }: BookStanding): QuoteLineage => ({
  source,
  updated_at: iso(confirmedAt),
});

/** An answer made from books, with the venues that could have been in it. */
export function bookFact<Body>(
  body: Body,
  used: readonly BookStanding[],
  expected: readonly VenueId[],
): Fact<Body> {
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
export const OLDEST_BOOK_MS = 15 * 60_000;

/** Asking for a book makes the collector fetch it, so the next request may find it. */
export function bookMissing(what: string): Failure {
  return {
    code: 'not_ready',
    detail: `${what}; it has been asked for, try again shortly`,
    retryAfterSeconds: FETCH_SECONDS,
  };
}

/** The quote of one pair, at most 15 minutes old. 503 not_ready without a book that is in order. */
export function pairQuote({ row, ticker }: Pair, books: BookView): Result<BookQuote> {
  const quote = books.quote(row.venue, row.symbol);
  if (quote !== undefined && quote.ageMs <= OLDEST_BOOK_MS) return ok(quote);
  return fail(bookMissing(`No order book of ${ticker} on ${row.venue} is in order at the moment`));
}

/** The quote of a contract where its book was confirmed within a minute. */
export function freshQuote(books: BookView, venue: VenueId, symbol: string): BookQuote | undefined {
  const quote = books.quote(venue, symbol);
  return quote?.isFresh === true ? quote : undefined;
}

/** Fresh quotes of an asset's fresh comparable rows, in the order of source ids. 404 or 503 without any. */
export function assetQuotes(asset: AssetRows, books: BookView): Result<readonly BookQuote[]> {
  const rows = usableRows(asset);
  if (rows.length === 0) return fail(nothingUsable(asset, 'row'));
  const quotes = rows.flatMap(({ venue, symbol }) => freshQuote(books, venue, symbol) ?? []);
  if (quotes.length > 0) return ok(quotes);
  return fail(bookMissing(`No venue of ${asset.canonicalId} has an order book confirmed within 60 s`));
}

/** Venues that list an asset. */
export const listing = (asset: AssetRows): readonly VenueId[] => venueIds(asset.listedBy);

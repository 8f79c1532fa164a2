import Type, { type Static } from 'typebox';
import { type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { BookQuote, BookView } from '../../market/books/book-view.ts';
import type { TrackedVenue, UncomparableReason } from '../../market/view.ts';
import type { ProductAnswer } from '../answer/product-answer.ts';
import { integer, venueName } from '../answer/schema.ts';
import { statedCoverage, venueCoverage, venueCoverageFields } from '../answer/venue-coverage.ts';
import type { BookName } from '../define-product.ts';
import { type AskedFees, PUBLIC_FEES, takerFeeOf } from '../rows/asked-fees.ts';
import { LEAST_SHARE, shareOf } from '../rows/interest-share.ts';
import { type AssetRows, nothingUsable, usableRows, venueIds } from '../rows/select.ts';
import { bookAnswer, bookMissing, freshQuote, isBookRead, type VenueBook } from './book-source.ts';

/** The venues behind an answer over the books of one asset. */
export const bookCoverageFields = {
  ...venueCoverageFields,
  venues_missing: Type.Array(venueName, {
    description:
      'Venues that list the asset and have no fresh comparable book: nothing of them is in the answer',
  }),
  books_pending: integer(
    'Books among these that were asked for and have not come, of venues that are live: asking again may find them',
  ),
};

const coverage = Type.Object(bookCoverageFields);

/** Fresh books of an asset at one moment, and what is not among them. */
export interface AssetBooks {
  readonly asset: AssetRows;
  /** In the order of source ids; at least one. */
  readonly offers: readonly VenueBook[];
  /** Books of fresh comparable rows that have been asked for and are not here. */
  readonly pending: number;
}

/** Contracts whose books an answer over an asset’s venues rests on. */
export function booksOfAsset(asset: AssetRows): readonly BookName[] {
  const venues = new Map(asset.listedBy.map((venue) => [venue.info.id, venue]));
  return usableRows(asset).filter((row) => isBookRead(row, venues.get(row.venue)));
}

/** The same, deep enough for the size that is asked for where it is one beyond the usual ones. */
export const sizedBooksOfAsset = (
  asset: AssetRows,
  { notional_usd: usd }: { readonly notional_usd?: number },
): readonly BookName[] =>
  booksOfAsset(asset).map(({ venue, symbol }) => ({ venue, symbol, ...(usd !== undefined && { usd }) }));

/**
 * Fresh books of an asset’s fresh comparable rows. 404 or 503 without any; 503 not_ready where they are of venues that
 * hold less than half of the asset’s open interest, of those whose books are read.
 */
export function assetBooks(
  asset: AssetRows,
  books: BookView,
  fees: AskedFees = PUBLIC_FEES,
): Result<AssetBooks> {
  const rows = usableRows(asset);
  if (rows.length === 0) return fail(nothingUsable(asset, 'row'));
  const venues = new Map(asset.listedBy.map((venue) => [venue.info.id, venue]));
  const offers = rows.flatMap((row): readonly VenueBook[] => {
    const quote = freshQuote(books, row.venue, row.symbol);
    if (quote === undefined) return [];
    const takerFeeBps = takerFeeOf(row, venues.get(row.venue), fees);
    return [{ row, quote, takerFeeBps, makerFeeBps: fees.maker.get(row.venue) }];
  });
  const read = booksOfAsset(asset);
  if (read.length === 0) {
    const detail = `No venue that lists ${asset.canonicalId} has an order book that is read here`;
    return fail({ code: 'no_data', detail });
  }
  if (offers.length === 0) {
    return fail(bookMissing(`No venue of ${asset.canonicalId} has an order book confirmed within 60 s`));
  }
  const failure = tooFewBooks(asset, new Set(offers.map(({ row }) => row.venue)));
  return failure === undefined ? ok({ asset, offers, pending: read.length - offers.length }) : fail(failure);
}

/** Not comparable only for want of a present value: the open interest that was last stated is still the asset’s. */
const LATE: ReadonlySet<UncomparableReason | undefined> = new Set([undefined, 'stale', 'no_mark_price']);

/** 503 where venues with less than half of the asset’s open interest have a book; where it is not known, of the venues. */
function tooFewBooks(asset: AssetRows, present: ReadonlySet<VenueId>): Failure | undefined {
  const venues = new Map(asset.listedBy.map((venue) => [venue.info.id, venue]));
  const listed = asset.rows.filter(
    (row) => LATE.has(row.uncomparableReason) && isBookRead(row, venues.get(row.venue)),
  );
  const silent = silentVenues(asset, venues);
  const weights = listed.map(({ venue, openInterestUsd }): readonly [VenueId, number] => [
    venue,
    asset.totalsOf(venue)?.openInterestUsd ?? openInterestUsd ?? 0,
  ]);
  const counts = [...weights, ...silent].map(([venue]): readonly [VenueId, number] => [venue, 1]);
  const interest = shareOf([...weights, ...silent], present);
  const share = interest ?? shareOf(counts, present) ?? 1;
  if (share >= LEAST_SHARE) return undefined;
  const of = interest === undefined ? 'venues' : 'open interest';
  const percent = Math.floor(share * 100);
  return bookMissing(
    `Order books of ${present.size} of ${counts.length} venues of ${asset.canonicalId} are in order, which is ${percent} % of its ${of}`,
  );
}

/** Venues without a row whose books would be read, with the USD open interest that they last stated: they are missing. */
function silentVenues(
  { rows, statedInterest }: AssetRows,
  listedBy: ReadonlyMap<VenueId, TrackedVenue>,
): readonly (readonly [VenueId, number])[] {
  const shown = new Set(rows.map(({ venue }) => venue));
  return [...statedInterest()].filter(
    ([venue]) => !shown.has(venue) && listedBy.get(venue)?.info.source !== 'ccxt',
  );
}

/** The coverage as an answer states it. */
export function statedBookCoverage({ asset, offers, pending }: AssetBooks): Static<typeof coverage> {
  const seen = venueCoverage(asset.listedBy, quotesOf(offers));
  const missing = seen.listed.filter(({ info }) => !seen.considered.has(info.id));
  return { ...statedCoverage(seen), venues_missing: [...venueIds(missing)], books_pending: pending };
}

/** An answer over an asset’s books with its lineage. */
export const assetBookAnswer = <Body>(body: Body, { asset, offers }: AssetBooks): ProductAnswer<Body> =>
  bookAnswer(body, quotesOf(offers), venueIds(asset.listedBy));

const quotesOf = (offers: readonly VenueBook[]): readonly BookQuote[] => offers.map(({ quote }) => quote);

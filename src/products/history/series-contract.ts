import { isRelisted } from '../../domain/listing.ts';
import type { SeriesBucket, SettledBucket } from '../../domain/series.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { groupBy } from '../../runtime/group-by.ts';
import { byVenueAndTime, samplesOf } from './buckets.ts';

/**
 * One place decides which contract a venue's past of an asset is of. A venue may list several contracts of one asset, and
 * payments of all of them are stored: a series that took now the one and now the other would be the past of neither.
 */

/** Answers state this choice in these words. */
export const SERIES_NOTE =
  'The series of a venue is of one contract, the one that its row of the asset shows, or where nothing of that one is stored the one of which most is; venue_symbol names it.';

/** Samples and payments that are stored of an asset, in buckets of one width. */
export interface StoredSeries {
  readonly buckets: readonly SeriesBucket[];
  readonly payments: readonly SettledBucket[];
}

/** The contract that a venue's row of the asset shows, and when the venue says that it listed it. */
export interface ShownContract {
  readonly symbol: string;
  readonly listedAt?: UnixMs | undefined;
}

/** Undefined where a venue has no row of the asset. */
export type RowContract = (venue: VenueId) => ShownContract | undefined;

/** True of what is stored of a contract that had the symbol of the shown one before it. */
const isOfFormer = (part: Pick<Part, 'symbol' | 'listedAt'>, shown: ShownContract | undefined): boolean =>
  part.symbol === shown?.symbol && isRelisted(part.listedAt, shown.listedAt);

/** An amount that is stored of one contract, or of one listing of it in one bucket. */
interface Part {
  readonly venue: VenueId;
  readonly symbol: string;
  readonly listedAt: UnixMs;
  readonly start: UnixMs;
  readonly formerId: string | undefined;
  readonly samples: number;
  readonly payments: number;
}

const partsOf = ({ buckets, payments }: StoredSeries): readonly Part[] => [
  ...buckets.map(
    (bucket): Part => ({
      venue: bucket.venue,
      symbol: bucket.symbol,
      listedAt: bucket.listedAt,
      start: bucket.start,
      formerId: bucket.formerId,
      samples: samplesOf(bucket),
      payments: 0,
    }),
  ),
  ...payments.map(
    (paid): Part => ({
      venue: paid.venue,
      symbol: paid.symbol,
      listedAt: paid.listedAt,
      start: paid.start,
      formerId: paid.formerId,
      samples: 0,
      payments: paid.payments,
    }),
  ),
];

const sumOf = (parts: readonly Part[], name: 'samples' | 'payments'): number =>
  parts.reduce((sum, part) => sum + part[name], 0);

/** The heaviest group: more samples, of equals more payments, of equals the one that `precedes` says. */
function heaviest(
  groups: readonly (readonly Part[])[],
  precedes: (part: Part, held: Part) => boolean,
): Part | undefined {
  let held: readonly Part[] = [];
  for (const group of groups) {
    const more =
      sumOf(group, 'samples') - sumOf(held, 'samples') || sumOf(group, 'payments') - sumOf(held, 'payments');
    const first = group[0];
    const before = held[0];
    const wins =
      more > 0 || (more === 0 && first !== undefined && before !== undefined && precedes(first, before));
    if (before === undefined || wins) held = group;
  }
  return held[0];
}

/** The symbol of a series: its row's, or where nothing of that one is stored the one of which most is. */
function symbolOf(parts: readonly Part[], shown: string | undefined): string | undefined {
  if (parts.some(({ symbol }) => symbol === shown)) return shown;
  const contracts = groupBy(parts, ({ symbol }) => symbol);
  return heaviest([...contracts.values()], (part, held) => part.symbol < held.symbol)?.symbol;
}

/** The symbols of a venue's series: one, and one more under each name that the asset had before. */
function symbolsOf(parts: readonly Part[], shown: string | undefined): ReadonlySet<string | undefined> {
  const names = groupBy(parts, ({ formerId }) => formerId ?? '');
  return new Set([...names.values()].map((named) => symbolOf(named, shown)));
}

/** Venues of which several contracts are stored. */
export function venuesWithSeveral(stored: StoredSeries): readonly VenueId[] {
  const byVenue = groupBy(partsOf(stored), ({ venue }) => venue);
  return [...byVenue].flatMap(([venue, parts]) =>
    parts.some(({ symbol }) => symbol !== parts[0]?.symbol) ? [venue] : [],
  );
}

const bucketKey = ({ venue, start }: Pick<Part, 'venue' | 'start'>): string => `${venue}\t${start}`;
const listingKey = ({ symbol, listedAt }: Pick<Part, 'symbol' | 'listedAt'>): string =>
  `${symbol}\t${listedAt}`;

/** The listing that stands in each bucket of a venue, by `bucketKey`; undefined where all that is stored is of one. */
function listingsOf(
  parts: readonly Part[],
  shown: string | undefined,
): ReadonlyMap<string, string> | undefined {
  const [first] = parts;
  if (parts.every((part) => first !== undefined && listingKey(part) === listingKey(first))) return undefined;
  const symbols = symbolsOf(parts, shown);
  const own = parts.filter(({ symbol }) => symbols.has(symbol));
  const listings = new Map<string, string>();
  for (const [key, ofBucket] of groupBy(own, bucketKey)) {
    const byListing = groupBy(ofBucket, listingKey);
    const listing = heaviest([...byListing.values()], (part, held) => part.listedAt > held.listedAt);
    if (listing !== undefined) listings.set(key, listingKey(listing));
  }
  return listings;
}

/**
 * Leaves one contract a venue, the same in all of the answer: the one that its row shows, so that the past is
 * of what the present is of. Where nothing of that one is stored in the window, it is the one of which most is.
 * Values stored under a former name of the asset are its past, too, of one contract. Of two listings in a
 * bucket one stands, of which more is known, of equals the later one: their values are never mixed. Values of
 * the row's symbol from before the listing that its venue states are another contract's, and no part of the
 * series.
 *
 * @returns by venue, then by time
 */
export function seriesOfRow(stored: StoredSeries, rowContract: RowContract): StoredSeries {
  const isPresent = (part: Pick<Part, 'venue' | 'symbol' | 'listedAt'>): boolean =>
    !isOfFormer(part, rowContract(part.venue));
  const byVenue = groupBy(partsOf(stored).filter(isPresent), ({ venue }) => venue);
  const listings = new Map(
    [...byVenue].map(([venue, parts]) => [venue, listingsOf(parts, rowContract(venue)?.symbol)]),
  );
  const stands = (part: SeriesBucket | SettledBucket): boolean => {
    const ofVenue = listings.get(part.venue);
    return isPresent(part) && (ofVenue === undefined || ofVenue.get(bucketKey(part)) === listingKey(part));
  };
  return {
    buckets: stored.buckets.filter(stands).sort(byVenueAndTime),
    payments: stored.payments.filter(stands).sort(byVenueAndTime),
  };
}

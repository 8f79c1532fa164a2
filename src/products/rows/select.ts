import { lowerAscii } from '../../domain/ascii-case.ts';
import { type Candidate, type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import type { VenueId, VenueInfo } from '../../domain/venue.ts';
import type { MarketRow, MarketView, TrackedVenue, VenueTotals } from '../../market/view.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { swapOf, tickerHint, venueHint } from './name-hints.ts';

/** The subject of a request, as it was written. */
export interface AskedAsset {
  readonly ticker: string;
  readonly canonical_id?: string | undefined;
}

export interface AskedPair extends AskedAsset {
  readonly venue: string;
}

/** One asset with all its rows. */
export interface AssetRows {
  readonly ticker: string;
  readonly canonicalId: string;
  /** Rows at most 15 minutes old, ordered by source id. */
  readonly rows: readonly MarketRow[];
  /** Venues that list the asset, with a row or without. */
  readonly listedBy: readonly TrackedVenue[];
  /** Sums over all of a venue's contracts of the asset. */
  readonly totalsOf: (venue: VenueId) => VenueTotals | undefined;
  /** USD open interest that each venue last stated within an hour, live or not. */
  readonly statedInterest: () => ReadonlyMap<VenueId, number>;
}

/** One asset on one venue. */
export interface Pair {
  readonly ticker: string;
  readonly canonicalId: string;
  readonly row: MarketRow;
  readonly venue: TrackedVenue;
  /** All contracts of the asset on this venue with a value young enough, the row's among them. */
  readonly contracts: readonly MarketRow[];
}

/**
 * Finds the asset that a request names. 404 unknown_ticker, 409 ambiguous_ticker with candidates and no prices,
 * 400 canonical_id_contradicts_ticker.
 */
export function selectAsset(view: MarketView, asked: AskedAsset): Result<AssetRows> {
  const { ticker, canonical_id: canonicalId } = asked;
  const resolution = view.resolve(ticker, canonicalId === undefined ? {} : { canonicalId });
  if (resolution.kind !== 'one') return fail(namingFailure(view, ticker, resolution));
  return ok(assetRows(view, resolution.canonicalId, resolution.ticker));
}

/** Rows and listings of an asset that is known. */
export function assetRows(view: MarketView, canonicalId: string, ticker: string): AssetRows {
  const listedBy = view.venues().filter((venue) => view.lists(venue.info.id, canonicalId));
  const totalsOf = (venue: VenueId) => view.totals(venue, canonicalId);
  const statedInterest = () => view.statedInterest(canonicalId);
  return { ticker, canonicalId, rows: view.rowsOf(canonicalId), listedBy, totalsOf, statedInterest };
}

/** One asset on one venue, whether it has a row now or not. */
export interface NamedPair {
  readonly ticker: string;
  readonly canonicalId: string;
  readonly venue: TrackedVenue;
  /** The contract, where the name means one and not the asset. */
  readonly symbol?: string | undefined;
}

/** Finds an asset that a venue lists. Failures as of `selectPair`, but for the age of its row. */
export function namePair(view: MarketView, asked: AskedPair): Result<NamedPair> {
  const { ticker, canonical_id: canonicalId } = asked;
  const found = selectVenue(view, asked.venue);
  if (!found.ok) return fail(orSwapped(view, asked, found.error));
  const venue = found.value;
  const { id } = venue.info;
  const resolution = view.resolve(ticker, {
    venue: id,
    ...(canonicalId === undefined ? {} : { canonicalId }),
  });
  if (resolution.kind !== 'one') return fail(namingFailure(view, ticker, resolution, venue));
  const { ticker: name, symbol } = resolution;
  const named = { ticker: name, canonicalId: resolution.canonicalId, venue, symbol };
  if (view.lists(id, resolution.canonicalId)) return ok(named);
  return fail(notListed(view, venue, named));
}

/** The failure of a venue that is not known, where its name and that of the asset stand in each other's place. */
function orSwapped(view: MarketView, { venue, ticker }: AskedPair, unknown: Failure): Failure {
  if (view.venue(lowerAscii(ticker.trim())) === undefined) return unknown;
  const detail = `"${venue}" is not a tracked venue, and "${ticker}" is one: the venue and the ticker stand in each other's place`;
  return { code: 'unknown_venue', detail, corrections: swapOf(venue, ticker) };
}

/** 404 that names the venues where the asset trades. */
export function notListed(
  view: MarketView,
  { info }: TrackedVenue,
  { ticker, canonicalId }: Pick<NamedPair, 'ticker' | 'canonicalId'>,
): Failure {
  const elsewhere = venueIds(view.venues().filter((venue) => view.lists(venue.info.id, canonicalId)));
  const [first] = elsewhere;
  const where = first === undefined ? '; no venue does' : `; these do: ${elsewhere.join(', ')}`;
  return {
    code: 'not_listed',
    detail: `${info.id} does not list ${ticker} (${canonicalId})${where}`,
    ...(first !== undefined && { corrections: [{ typed: info.id, value: first }] }),
  };
}

/**
 * Finds the row of an asset on a venue. Besides the failures of `selectAsset`: 404 unknown_venue, 404 not_listed,
 * 503 not_ready for a listed pair with nothing younger than 15 minutes.
 */
export function selectPair(view: MarketView, asked: AskedPair): Result<Pair> {
  const named = namePair(view, asked);
  if (!named.ok) return named;
  const { ticker, canonicalId, venue, symbol } = named.value;
  const { id } = venue.info;
  const row = symbol === undefined ? view.row(id, canonicalId) : view.contract(id, symbol);
  if (row !== undefined) {
    const all = view.contractsOf(canonicalId).filter((row) => row.venue === id);
    const contracts = all.some((contract) => contract.symbol === row.symbol) ? all : [...all, row];
    return ok({ ticker, canonicalId, row, venue, contracts });
  }
  return fail(
    notReady(`${id} lists ${ticker}, but nothing younger than 15 minutes is known of ${symbol ?? 'it'}`, [
      venue,
    ]),
  );
}

type Unresolved =
  | { readonly kind: 'ambiguous'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'contradiction'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'unknown' };

/**
 * The reason for which a name led to no asset. While none of the venues asked about has been read, nothing is
 * known to be unknown.
 *
 * @param venue where the asset was asked for; anywhere without it
 */
export function namingFailure(
  view: MarketView,
  name: string,
  resolution: Unresolved,
  venue?: TrackedVenue,
): Failure {
  if (resolution.kind === 'unknown') {
    const asked = venue === undefined ? view.venues() : [venue];
    if (asked.every((listing) => listing.trackedSymbols === 0)) {
      return notReady('No list of contracts has been received yet', asked);
    }
    const { text, ...hint } = tickerHint(view, name, tickersOf(view, venue));
    return { code: 'unknown_ticker', detail: `No tracked venue lists "${name}"${text}`, ...hint };
  }
  const { candidates } = resolution;
  const ids = candidates.map((candidate) => candidate.canonical_id).join(', ');
  if (resolution.kind === 'ambiguous') {
    return {
      code: 'ambiguous_ticker',
      detail: `"${name}" names ${candidates.length} assets: ${ids}. Repeat the request with one of these canonical ids, as canonical_id or in place of the ticker`,
      candidates,
    };
  }
  return {
    code: 'canonical_id_contradicts_ticker',
    detail: `"${name}" is ${ids}`,
    candidates,
    errors: [{ parameter: 'canonical_id', message: `must be one of ${ids}` }],
  };
}

/** Finds a venue by its identifier, in any case. 404 unknown_venue, with the nearest ones. */
export function selectVenue(view: MarketView, name: string): Result<TrackedVenue> {
  const venue = view.venue(lowerAscii(name.trim()));
  if (venue !== undefined) return ok(venue);
  const { text, ...hint } = venueHint(name, venueIds(view.venues()));
  const detail = `"${name}" is not a tracked venue${text}; /v1/venues/list names them all`;
  return fail({ code: 'unknown_venue', detail, ...hint });
}

function tickersOf(view: MarketView, venue: TrackedVenue | undefined): readonly string[] {
  const rows = view.rows().filter((row) => venue === undefined || row.venue === venue.info.id);
  return [...new Set(rows.map(({ ticker }) => ticker))];
}

/** 503 with the time after which the venue that answers soonest will have been asked again. */
export function notReady(detail: string, venues: readonly TrackedVenue[]): Failure {
  const soonest = Math.min(MINUTE_MS, ...venues.map((venue) => venue.refreshMs));
  return { code: 'not_ready', detail, retryAfterSeconds: Math.max(1, Math.ceil(soonest / 1000)) };
}

/** True of rows that products which list an asset's venues show, in closed hours too. */
export const isShown = (row: MarketRow): boolean => row.fresh && row.comparable;

/** True of rows that cross-venue products use: nobody trades against what is shown in closed hours. */
export const isUsable = (row: MarketRow): boolean => isShown(row) && row.marketOpen !== false;

/** Rows that cross-venue products use. */
export function usableRows(asset: AssetRows): readonly MarketRow[] {
  return asset.rows.filter(isUsable);
}

/** True if the rate of a row may stand beside others: a mark that is young does not vouch for it. */
export const hasFreshRate = (row: MarketRow): boolean => row.rateFresh && row.fundingRate !== undefined;

/** True of a row that would count in an answer about marks if it were younger. */
export const isMarkLate = ({ fresh }: MarketRow): boolean => !fresh;

/** The same of an answer about rates. */
export const isRateLate = ({ fresh, rateFresh, fundingRate }: MarketRow): boolean =>
  !fresh || (fundingRate !== undefined && !rateFresh);

/** True of a row that may stand in a list over several venues: nothing that it shows as present is too old for that. */
export const isCurrent = ({ fresh, rateFresh, fundingRate, markPrice }: MarketRow): boolean =>
  (fresh || markPrice === undefined) && (rateFresh || (fundingRate === undefined && fresh));

/** Fraction per eight hours, of a rate that may stand beside others. */
export const freshRate8h = ({ rateFresh, rate8h }: MarketRow) => (rateFresh ? rate8h : undefined);

/** True if cross-venue products about rates use a row. */
export const isRated = (row: MarketRow): boolean => isUsable(row) && hasFreshRate(row);

/** Rows that cross-venue products about rates use. */
export function ratedRows(asset: AssetRows): readonly MarketRow[] {
  return asset.rows.filter(isRated);
}

/**
 * The reason for which no row of an asset can be used: 404 where fresh ones exist and none is comparable, else
 * 503.
 */
export function nothingUsable(asset: AssetRows, what: string): Failure {
  const { canonicalId, listedBy } = asset;
  if (listedBy.length === 0)
    return { code: 'not_listed', detail: `No venue among those asked about lists ${canonicalId}` };
  const waits = usableRows(asset).some((row) => row.fundingRate !== undefined && !row.rateFresh);
  if (asset.rows.some((row) => row.fresh) && !waits) {
    if (asset.rows.some((row) => isShown(row) && row.marketOpen === false))
      return { code: 'no_data', detail: `The market of ${canonicalId} is closed at the venues that list it` };
    return { code: 'no_data', detail: `No comparable ${what} of ${canonicalId} on any venue` };
  }
  return notReady(`No ${what} of ${canonicalId} is fresh on any of ${listedBy.length} venues`, listedBy);
}

export function venueIds(venues: readonly TrackedVenue[]): readonly VenueId[] {
  return venues.map((venue) => venue.info.id);
}

/** Venues that are collected: the others are no sources that an answer could miss. */
export function collectedVenues(view: Pick<MarketView, 'venues'>): readonly TrackedVenue[] {
  return view.venues().filter(({ isRetired }) => !isRetired);
}

/** Facts about every tracked venue. */
export function venueInfos(view: MarketView): ReadonlyMap<VenueId, VenueInfo> {
  return new Map(view.venues().map(({ info }) => [info.id, info]));
}

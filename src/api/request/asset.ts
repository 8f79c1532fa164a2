import { type Candidate, fail, ok, type Result } from '../../domain/errors.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { MarketView, TrackedVenue } from '../../market/view.ts';

/** One asset, as a request names it. */
export interface AssetRef {
  readonly canonicalId: string;
  readonly ticker: string;
}

/** How a request names an asset. */
export interface AssetName {
  readonly name: string;
  readonly canonicalId?: string | undefined;
  readonly venue?: VenueId;
  /** What to do about a name of several assets, where the endpoint takes no canonical_id. */
  readonly retry?: string;
}

const RETRY = 'Repeat the request with the canonical_id of one of the candidates.';
export const RETRY_AS_TICKER =
  'Repeat the request with the canonical_id of one of the candidates as the ticker.';

const list = (candidates: readonly Candidate[]): string => candidates.map((c) => c.canonical_id).join(', ');

/** The asset behind a name, or why there is not exactly one. */
export function findAsset(
  market: MarketView,
  { name, canonicalId, venue, retry }: AssetName,
): Result<AssetRef> {
  const resolution = market.resolve(name, {
    ...(venue !== undefined && { venue }),
    ...(canonicalId !== undefined && { canonicalId }),
  });
  switch (resolution.kind) {
    case 'one':
      return ok({ canonicalId: resolution.canonicalId, ticker: resolution.ticker });
    case 'ambiguous': {
      const { candidates } = resolution;
      const detail = `${name} names ${candidates.length} assets: ${list(candidates)}. ${retry ?? RETRY}`;
      return fail({ code: 'ambiguous_ticker', detail, candidates });
    }
    case 'contradiction': {
      const detail = `${canonicalId} is not an asset behind ${name}; those are ${list(resolution.candidates)}.`;
      const message = `not an asset behind ${name}`;
      return fail({
        code: 'canonical_id_contradicts_ticker',
        detail,
        errors: [{ parameter: 'canonical_id', message }],
      });
    }
    case 'unknown':
      return fail({ code: 'unknown_ticker', detail: `No tracked venue lists ${name}.` });
  }
}

/** All assets behind a name: never ambiguous. */
export function findIdentities(
  market: MarketView,
  name: string,
): Result<{ readonly ticker: string; readonly canonicalIds: readonly string[] }> {
  const resolution = market.resolve(name);
  if (resolution.kind === 'one') {
    return ok({ ticker: resolution.ticker, canonicalIds: [resolution.canonicalId] });
  }
  if (resolution.kind === 'ambiguous') {
    const canonicalIds = resolution.candidates.map((candidate) => candidate.canonical_id);
    const row = canonicalIds.flatMap((id) => market.rowsOf(id))[0];
    return ok({ ticker: row?.ticker ?? name.toUpperCase(), canonicalIds });
  }
  return fail({ code: 'unknown_ticker', detail: `No tracked venue lists ${name}.` });
}

/** The venue of an identifier in any case. */
export function findVenue(market: MarketView, name: string): Result<TrackedVenue> {
  const venue = market.venue(name.toLowerCase());
  if (venue !== undefined) return ok(venue);
  return fail({
    code: 'unknown_venue',
    detail: `${name} is no tracked venue; /v1/venues/list names them all.`,
  });
}

/** The asset behind a name, at a venue that lists it. Ambiguity is decided inside the venue first. */
export function findListing(
  market: MarketView,
  asset: AssetName & { readonly venue: string },
): Result<AssetRef & { readonly venue: TrackedVenue }> {
  const venue = findVenue(market, asset.venue);
  if (!venue.ok) return venue;
  const id = venue.value.info.id;
  const found = findAsset(market, { ...asset, venue: id });
  if (!found.ok) return found;
  if (market.lists(id, found.value.canonicalId)) return ok({ ...found.value, venue: venue.value });
  return fail({ code: 'not_listed', detail: `${id} does not list ${found.value.canonicalId}.` });
}

/** Venues that list one of the assets and are not among those used. */
export function missingVenues(
  market: MarketView,
  canonicalIds: readonly string[],
  used: readonly VenueId[],
): readonly VenueId[] {
  const known = new Set(used);
  return market
    .venues()
    .map(({ info }) => info.id)
    .filter((id) => !known.has(id) && canonicalIds.some((canonicalId) => market.lists(id, canonicalId)))
    .sort();
}

import type { VenueId } from '../domain/venue.ts';
import type { NameIndex } from './name-index.ts';
import type { Resolution } from './view.ts';

export interface ResolveOptions {
  readonly venue?: VenueId;
  readonly canonicalId?: string;
}

const PERP_SUFFIX = /[-_/]?PERP$/;

/**
 * What a request calls an asset, without regard to case. The first of these that finds something decides: ticker or
 * alias, canonical_id, the venue's own symbol (where a venue is given), a perp suffix stripped (`BTC-PERP`,
 * `BTC_PERP`, `BTCPERP`), a base with its multiplier (`1000PEPE`). With a venue, its own listings are asked first;
 * an asset that it does not list is still resolved, so that the caller can say `not_listed`. `canonicalId` chooses
 * between the identities of the name and contradicts when it is none of them.
 */
export function resolveName(index: NameIndex, name: string, options: ResolveOptions = {}): Resolution {
  const wanted = name.trim().toUpperCase();
  const { venue, canonicalId } = options;
  const everywhere = identities(index, wanted, venue, undefined);
  if (canonicalId !== undefined) return disambiguate(index, everywhere, canonicalId);
  const here = venue === undefined ? [] : identities(index, wanted, venue, venue);
  const found = here.length > 0 ? here : everywhere;
  const [first] = found;
  if (first === undefined) return { kind: 'unknown' };
  // Nothing to choose between when the venue lists none of them.
  if (found.length === 1 || (venue !== undefined && here.length === 0)) return one(index, first);
  return { kind: 'ambiguous', candidates: found.map((id) => index.candidate(id)) };
}

function disambiguate(index: NameIndex, found: readonly string[], canonicalId: string): Resolution {
  if (found.length === 0) return { kind: 'unknown' };
  const wanted = canonicalId.trim().toUpperCase();
  const match = found.find((id) => id.toUpperCase() === wanted);
  if (match !== undefined) return one(index, match);
  return { kind: 'contradiction', candidates: found.map((id) => index.candidate(id)) };
}

/** @param scope only what this venue lists; undefined = everything (`venue` still lends its symbols) */
function identities(
  index: NameIndex,
  wanted: string,
  venue: VenueId | undefined,
  scope: VenueId | undefined,
): readonly string[] {
  const named = index.named(wanted, scope);
  if (named.length > 0) return named;
  const canonical = index.canonical(wanted, scope);
  if (canonical !== undefined) return [canonical];
  const symbol = venue === undefined ? [] : index.symbol(wanted, venue);
  if (symbol.length > 0) return symbol;
  const stripped = wanted.replace(PERP_SUFFIX, '');
  if (stripped !== wanted && stripped !== '') {
    const bare = index.named(stripped, scope);
    if (bare.length > 0) return bare;
  }
  return index.base(wanted, scope);
}

function one(index: NameIndex, canonicalId: string): Resolution {
  return { kind: 'one', canonicalId, ticker: index.tickerOf(canonicalId) };
}

import type { AssetClass } from '../domain/instrument.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';

/**
 * What an identity rests on, weakest first. A stronger basis replaces a weaker one; `price` chose between curated
 * assets of one ticker by the first mark and is not asked again.
 */
export const IDENTITY_BASES = [
  'default',
  'metadata',
  'price',
  'registry',
  'split',
  'venue_name',
  'operator',
] as const;
export type IdentityBasis = (typeof IDENTITY_BASES)[number];

/** The asset behind one contract from `validFrom` until `validTo`. */
export interface IdentityRecord {
  readonly venue: VenueId;
  readonly symbol: string;
  readonly canonicalId: string;
  readonly ticker: string;
  readonly assetClass: AssetClass;
  readonly basis: IdentityBasis;
  readonly validFrom: UnixMs;
  /** Absent while it holds. */
  readonly validTo?: UnixMs;
}

/** Keeps identities over restarts. Keyed by (venue, symbol, validFrom). */
export interface IdentityStore {
  load(): readonly IdentityRecord[];
  /** Writes all or none; a record with a known key replaces it. Returns when the records are safe. */
  save(records: readonly IdentityRecord[]): void;
}

/** Keeps the numbers of discovered venues over restarts. */
export interface SourceIdStore {
  /** The number of this venue; given on first sight, from 1000 up, never reused. */
  idOf(venue: VenueId): number;
}

/** First number of discovered venues; known ones have smaller, fixed numbers. */
export const FIRST_DISCOVERED_ID = 1000;

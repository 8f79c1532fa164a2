import type { ContractTerms } from '../domain/contract-terms.ts';
import type { Candidate } from '../domain/errors.ts';
import type { AssetClass, Instrument } from '../domain/instrument.ts';
import type { BaseQty, Bps, Hours, Price, Rate8h, RatePerInterval, UnixMs, Usd } from '../domain/units.ts';
import type { VenueId, VenueInfo, VenueStatus } from '../domain/venue.ts';

/** Reasons for which a row is not compared with other venues. */
export const UNCOMPARABLE_REASONS = [
  'identity_uncertain',
  'price_dispersion',
  'multiplier_suspect',
  'placeholder',
  'dead_market',
  'stale',
  'no_mark_price',
  'suspect',
] as const;
export type UncomparableReason = (typeof UNCOMPARABLE_REASONS)[number];

/** The live row of one (venue, canonical_id). Absent values are unknown; zero is data. */
export interface MarketRow {
  readonly venue: VenueId;
  readonly sourceId: number;
  /** The venue's own symbol of the primary contract. */
  readonly symbol: string;
  readonly ticker: string;
  readonly canonicalId: string;
  readonly assetClass: AssetClass;
  readonly multiplier: number;
  /** Currency that prices of this contract are quoted in. */
  readonly quote: string;
  /** When the venue says that it listed this contract. */
  readonly listedAt?: UnixMs | undefined;
  /** Units of the ticker in one contract, as the venue counts contracts. */
  readonly contractSize?: number | undefined;
  /** Terms on which the contract is traded, as far as the venue's list states them. */
  readonly terms?: ContractTerms | undefined;
  /** Of this contract where it differs from the venue's. */
  readonly takerFeeBps?: Bps | undefined;
  readonly fundingRate?: RatePerInterval | undefined;
  /** True where the rate is the one last charged: the venue states no coming one now. */
  readonly rateSettled?: true | undefined;
  readonly fundingIntervalHours?: Hours | undefined;
  /** Bounds of the rate that the venue publishes, fractions per interval. */
  readonly fundingCap?: RatePerInterval | undefined;
  readonly fundingFloor?: RatePerInterval | undefined;
  readonly rate8h?: Rate8h | undefined;
  readonly nextFundingTime?: UnixMs | undefined;
  readonly markPrice?: Price | undefined;
  readonly indexPrice?: Price | undefined;
  readonly openInterestRaw?: number | undefined;
  readonly openInterestBase?: BaseQty | undefined;
  readonly openInterestUsd?: Usd | undefined;
  readonly volume24hRaw?: number | undefined;
  readonly volume24hBase?: BaseQty | undefined;
  readonly volume24hUsd?: Usd | undefined;
  readonly bestBid?: Price | undefined;
  readonly bestAsk?: Price | undefined;
  /** False where the venue states quotes alone that no order can be held against: its book is never read. */
  readonly hasBook?: boolean | undefined;
  /** True while orders trade; undefined where the venue states no hours. In closed hours a row has neither touch nor book. */
  readonly marketOpen?: boolean | undefined;
  /** When a closed market opens again, where the venue says it and that is ahead. */
  readonly opensAt?: UnixMs | undefined;
  /** Time of the mark (or of the oldest fact shown where there is no mark). */
  readonly updatedAt: UnixMs;
  /** Time of the funding rate. */
  readonly fundingUpdatedAt?: UnixMs | undefined;
  readonly indexUpdatedAt?: UnixMs | undefined;
  readonly openInterestUpdatedAt?: UnixMs | undefined;
  /** Time of the figure that volume is derived from. */
  readonly volumeUpdatedAt?: UnixMs | undefined;
  /** Passes identity and dispersion checks. */
  readonly comparable: boolean;
  readonly uncomparableReason?: UncomparableReason | undefined;
  /** The rule of data quality that the row breaks, where it does. */
  readonly suspectReason?: string | undefined;
  /** Venue live and mark within the freshness limit, as of the last sweep. */
  readonly fresh: boolean;
  /** Venue live and rate within its own limit, as of the last sweep; false without a rate. */
  readonly rateFresh: boolean;
  /** Grows with every change of this row; unique over the table. */
  readonly version: number;
}

/**
 * Sums over all of a venue's linear contracts of one asset. A sum is undefined where no contract states its
 * part.
 */
export interface VenueTotals {
  /** Contracts with a value young enough. */
  readonly contracts: number;
  readonly openInterestBase: BaseQty | undefined;
  readonly openInterestUsd: Usd | undefined;
  readonly volume24hBase: BaseQty | undefined;
  readonly volume24hUsd: Usd | undefined;
}

export interface TrackedVenue {
  readonly info: VenueInfo;
  readonly sourceId: number;
  readonly status: VenueStatus;
  /**
   * Collected no more, such as a sub-venue that its parent has closed: no source that is missed. Its stored
   * data stays.
   */
  readonly isRetired: boolean;
  readonly refreshMs: number;
  readonly trackedSymbols: number;
  /** Contracts that have no identity until the store that hosts share answers. */
  readonly undecided?: number;
  /** Contracts that have none since that store refuses what they are called. */
  readonly refused?: number;
  readonly freshSymbols: number;
  /** Distinct funding intervals seen, ascending. */
  readonly fundingIntervals: readonly number[];
}

export type Resolution =
  | {
      readonly kind: 'one';
      readonly canonicalId: string;
      readonly ticker: string;
      /** The venue's own symbol, where the name means one contract of the venue and not the asset. */
      readonly symbol?: string;
    }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'contradiction'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'unknown' };

/** An old name of an asset, or one that is announced, and the name that venues list. */
export interface Renaming {
  readonly asked: string;
  readonly canonicalId: string;
  readonly ticker: string;
  /** First day of the present name, `YYYY-MM-DD`. */
  readonly day: string;
  /** Present units in one unit of the old name. */
  readonly factor: number;
  readonly state: 'done' | 'announced';
}

/** The contracts that are asked for; all where nothing is named. */
export interface ListingScope {
  readonly venue?: VenueId | undefined;
  readonly canonicalId?: string | undefined;
  /** A moment of the past; now where absent. */
  readonly at?: UnixMs | undefined;
}

/** A contract as its venue lists it, or listed it at a moment, whether it has a row or not. */
export interface ListedContract {
  readonly venue: VenueId;
  /** The venue's own symbol. */
  readonly symbol: string;
  readonly canonicalId: string;
  readonly ticker: string;
  readonly assetClass: AssetClass;
  /** Since when this service has seen it listed as this asset. */
  readonly seenFrom: UnixMs;
  /** When it was found to be listed no more, or to be another asset; absent while neither is so. */
  readonly seenUntil?: UnixMs;
  /** The contract as the list of now states it; absent where that is another one. */
  readonly instrument?: Instrument;
}

/** Read side of the live table. Nothing here changes anything. */
export interface MarketView {
  /** The market that this one is a part of; undefined of the whole. */
  readonly whole?: MarketView;
  /** True of a quote currency that this part is held to; undefined where it is held to none. */
  readonly takesQuote?: (quote: string) => boolean;
  /** Grows with every change of the table. */
  readonly version: number;
  /** Rows at most 15 minutes old, ordered by (canonical_id, source_id). The array is replaced, never mutated. */
  rows(): readonly MarketRow[];
  /** Iterates the same rows, each built when it is reached, so that a slow reader gets current values. */
  eachRow(): Iterable<MarketRow>;
  /** Number of rows as of the last sweep, without looking at them. */
  readonly size: number;
  rowsOf(canonicalId: string): readonly MarketRow[];
  row(venue: VenueId, canonicalId: string): MarketRow | undefined;
  /** The row that a contract of a venue has or would have, by the venue's own symbol; as `row` says of its age. */
  contract(venue: VenueId, symbol: string): MarketRow | undefined;
  /**
   * The contents of `row`, of every contract of the asset on the venues that show it, the primary ones among
   * them.
   */
  contractsOf(canonicalId: string): readonly MarketRow[];
  /** Sums over all live contracts of the asset on the venue; undefined where the venue has no row of it. */
  totals(venue: VenueId, canonicalId: string): VenueTotals | undefined;
  /**
   * USD open interest of the asset that each venue last stated within an hour, all its contracts together, whether the venue is
   * live or not, and in the first hour of the process as it was stored before: what a total of now is held against.
   */
  statedInterest(canonicalId: string): ReadonlyMap<VenueId, number>;
  /** All identities behind a ticker (exact, upper case). */
  identitiesOf(ticker: string): readonly string[];
  /**
   * Resolves what a request calls an asset: exact ticker, canonical_id, venue symbol (where a venue is given),
   * then a perp suffix stripped. `canonicalId` disambiguates or contradicts.
   */
  resolve(name: string, options?: { venue?: VenueId; canonicalId?: string }): Resolution;
  /** As `resolve`, among contracts that are listed no more; with a venue only those of it. Up to a minute late. */
  formerly(name: string, options?: { venue?: VenueId; canonicalId?: string }): Resolution;
  /** The renaming behind a name, listed now or before; undefined for a present name. */
  renamed(name: string, options?: { venue?: VenueId; canonicalId?: string }): Renaming | undefined;
  venues(): readonly TrackedVenue[];
  venue(id: VenueId): TrackedVenue | undefined;
  /** Contracts that venues list, or listed at a moment, ordered by venue and symbol. */
  listings(scope: ListingScope): readonly ListedContract[];
  /** Further names of an asset. */
  aliasesOf(canonicalId: string): readonly string[];
  /** True if the venue lists the asset at all, fresh or not. */
  lists(venue: VenueId, canonicalId: string): boolean;
}

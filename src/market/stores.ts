import type { AssetClass } from '../domain/instrument.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { MaybePromise } from '../runtime/maybe-promise.ts';

/**
 * The grounds of an identity, weakest first. A stronger basis replaces a weaker one; `price` chose between
 * curated assets of one ticker by the first mark and is not asked again.
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

/** The change of one contract's ranges. */
export interface RangeChange {
  readonly venue: VenueId;
  readonly symbol: string;
  /** Ranges that the contract had when this was decided. */
  readonly count: number;
  /** The last of them. */
  readonly before: IdentityRecord | undefined;
  /** The ranges that replace `before`, where there was one, and those that begin after it. */
  readonly after: readonly IdentityRecord[];
}

/** Keeps identities over restarts. A record's key is (venue, symbol, validFrom). */
export interface IdentityStore {
  load(): readonly IdentityRecord[];
  /**
   * Makes changes, safe on return: all of them but those of contracts that cannot be kept, which `refused`
   * counts. Where hosts share the store, it only asks for them: one is made if its contract is still as it was
   * when it was decided, and `news` tells what became of it.
   *
   * @param isExact nothing is made where anything at all has changed since
   */
  save(changes: readonly RangeChange[], isExact?: boolean): void;
  /** Contracts of a venue of which the store did not take what it was to keep; default none. */
  refused?(venue: VenueId): number;
  /** Of a store that hosts share. */
  readonly shared?: SharedStoreListener;
}

/** A host's listener to a store that it shares with others. */
export interface SharedStoreListener {
  /**
   * Contracts that are not as they were at the last call, by whomever, with all their ranges; undefined where nothing was
   * heard, of decisions and numbers of venues neither.
   */
  news(): readonly (readonly IdentityRecord[])[] | undefined;
  /** Contracts of a venue whose first identity was asked for and is not known. */
  waiting(venue: VenueId): number;
  /** Contracts of a venue of which the store did not take what it was to keep. */
  refused(venue: VenueId): number;
  /**
   * True if ranges end here: a process that reads the venue's own lists knows the contracts they list no more.
   */
  readonly ends: boolean;
}

export type OperatorAction = 'pin' | 'merge' | 'split' | 'undo';

/** A contract that a decision gave another asset. */
export interface ChangedContract {
  readonly venue: VenueId;
  readonly symbol: string;
  /** Its id until then. */
  readonly before: string;
}

/** An operator's decision about identities, with time and reason. */
export interface OperatorDecision {
  /** 1, 2, 3 … in the order in which they were taken. */
  readonly sequence: number;
  readonly at: UnixMs;
  readonly action: OperatorAction;
  readonly reason: string;
  readonly to: { readonly canonicalId: string; readonly ticker: string; readonly assetClass: AssetClass };
  /** Merges: the id that is no longer given. */
  readonly from?: string;
  readonly contracts: readonly ChangedContract[];
}

/** Keeps the decisions of operators; nothing is ever removed. */
export interface DecisionStore {
  /** Decisions after this sequence number, oldest first. */
  since(sequence: number): readonly OperatorDecision[];
  /**
   * Writes a decision under the next number. True when it is safe; false where another was taken since the log
   * was read: what it was made on may be so no more. Rejects where a store that hosts share does not answer.
   */
  append(decision: OperatorDecision): MaybePromise<boolean>;
}

/** Keeps the numbers of discovered venues over restarts. */
export interface SourceIdStore {
  /**
   * The number of this venue; given on first sight, from 1000 up, never reused. Undefined while a store that hosts share
   * was asked and has not answered.
   */
  idOf(venue: VenueId): number | undefined;
}

/** The kinds of store of identities, in the words of `/v1/health`. */
export const IDENTITY_STORE_KINDS = ['embedded', 'postgres'] as const;

/** Where identities are kept, and how that is doing. */
export interface IdentityStoreState {
  readonly kind: (typeof IDENTITY_STORE_KINDS)[number];
  /** True if the last call was answered. */
  readonly ok: boolean;
  /** Contracts and venues that wait for an answer: they have no identity, or no number. */
  readonly waiting: number;
  /** Contracts and venues of which the store did not take what it was to keep: a symbol with a NUL in it. */
  readonly refused: number;
}

/** All that is kept of identities. */
export interface StoredMarket {
  readonly identities: readonly IdentityRecord[];
  readonly decisions: readonly OperatorDecision[];
  readonly sourceIds: readonly (readonly [venue: VenueId, id: number])[];
}

/** Identities, decisions about them and numbers of venues, in one place. */
export interface MarketStore {
  readonly identities: IdentityStore;
  readonly sourceIds: SourceIdStore;
  readonly decisions: DecisionStore;
  place(): IdentityStoreState;
  /** Resolved when all that was asked is made or too late, and what others have done is known. Rejects without an answer. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** First number of discovered venues; known ones have smaller, fixed numbers. */
export const FIRST_DISCOVERED_ID = 1000;

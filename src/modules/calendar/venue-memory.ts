import type { Bps, Hours, RatePerInterval, UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';

/** The facts of a contract that the calendar looks at. Absent = not known, or not stated. */
export interface ContractFacts {
  readonly symbol: string;
  /** The base as the venue calls it, without multiplier. */
  readonly base: string;
  /** The asset's name. */
  readonly ticker: string;
  /** Absent while only a price can tell the asset. */
  readonly canonicalId?: string | undefined;
  readonly quote: string;
  readonly listedAt?: UnixMs | undefined;
  readonly delistsAt?: UnixMs | undefined;
  readonly intervalHours?: Hours | undefined;
  /** Taker fee of this contract where it differs from the venue's. */
  readonly ownFeeBps?: Bps | undefined;
  readonly fundingCap?: RatePerInterval | undefined;
  readonly fundingFloor?: RatePerInterval | undefined;
}

export interface AnnouncedFacts {
  readonly symbol: string;
  readonly ticker: string;
  readonly listsAt?: UnixMs;
}

/** One whole list of a venue, as it was received at `at`. */
export interface WholeList {
  readonly venue: VenueId;
  readonly at: UnixMs;
  /** Taker fee of the venue. */
  readonly takerFeeBps?: Bps;
  readonly contracts: readonly ContractFacts[];
  /** Symbols that the list has, and that do not trade. */
  readonly halted: ReadonlySet<string>;
  readonly announced: readonly AnnouncedFacts[];
}

/** A difference that one list has shown, and no other yet. */
export interface Doubt {
  /** The value that it was shown to be, as text. */
  readonly value: string;
  /** Receipt of the list that showed it first. */
  readonly seenAt: UnixMs;
  /** Receipt of the last whole list before. */
  readonly unseenAt: UnixMs;
}

/** A contract as it is known from the lists before. */
export interface KnownContract {
  readonly facts: ContractFacts;
  readonly state: 'listed' | 'halted';
  /** When it was seen to come; absent where it was in the first list. */
  readonly cameAt?: UnixMs;
}

/** A contract that went, for as long as another may be found to be it under a new name. */
export interface GoneContract {
  readonly facts: ContractFacts;
  readonly at: UnixMs;
}

/** All that the next list of a venue is compared with. */
export interface VenueMemory {
  /** Receipt of the first whole list. */
  readonly watchedSince: UnixMs;
  /** Receipt of the last one. */
  readonly listAt: UnixMs;
  readonly takerFeeBps?: Bps;
  readonly contracts: ReadonlyMap<string, KnownContract>;
  readonly announced: ReadonlyMap<string, AnnouncedFacts>;
  /** Symbols that did not trade in the first list, and have not since: one that does is resumed, and not new. */
  readonly haltedFirst: ReadonlySet<string>;
  readonly gone: readonly GoneContract[];
  /** By what is in doubt, as `state BTCUSDT`. */
  readonly doubts: ReadonlyMap<string, Doubt>;
}

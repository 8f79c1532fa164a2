import type { AssetClass, Instrument } from '../domain/instrument.ts';
import { isRelisted, passedListing } from '../domain/listing.ts';
import type { Price, UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { type Assignment, decideIdentity, standingOf } from './decide-identity.ts';
import { IdentityRanges } from './identity-ranges.ts';
import { createRegistry, type Registry } from './registry/lookup.ts';
import type { Renames } from './registry/renames.ts';
import { IDENTITY_BASES, type IdentityBasis, type IdentityRecord, type IdentityStore } from './stores.ts';

/** The asset of each contract, over time. Ids once given are kept: see `assign`. */
export interface InstrumentIdentities {
  /**
   * The asset behind a contract, given now where it has none. An id that stands is replaced only by a stronger
   * basis. Undefined: only a mark can tell, or hosts share the store and it has not answered yet who the contract is.
   */
  assign(instrument: Instrument, at: UnixMs, mark?: Price): Assignment | undefined;
  /** Ends the identities of contracts that the venue lists no more. */
  keepOnly(venue: VenueId, listed: ReadonlySet<string>, at: UnixMs): void;
  /** Gives a contract another asset: by the operator, or by an automatic split. */
  reassign(venue: VenueId, symbol: string, to: Reassignment, at: UnixMs): void;
  /** Has a contract's last range rest on an operator's word: it goes on, and so does what is stored of it. */
  confirm(last: IdentityRecord): void;
  /** Replaces one id by another, also for contracts listed later; undefined ends that. */
  redirect(from: string, to: Omit<Reassignment, 'basis'> | undefined): void;
  /** The asset of a contract as last decided, also where it is listed no more. */
  lastAssignment(instrument: Instrument): Assignment | undefined;
  /** Everything ever given to a contract, oldest first. */
  recordsOf(venue: VenueId, symbol: string): readonly IdentityRecord[];
  /** The last range of every contract, also of those that are listed no more. */
  latest(): readonly IdentityRecord[];
  /** Writes what has changed since the last call, or asks a shared store for it: as `IdentityStore.save` does. */
  commit(isExact?: boolean): void;
  /** Takes over what a shared store tells: contracts that are not as they were, undefined where nothing was heard. */
  follow(): readonly Pick<IdentityRecord, 'venue' | 'symbol'>[] | undefined;
  /** Contracts of a venue that have no identity until a shared store answers. */
  waiting(venue: VenueId): number;
  /** Contracts of a venue of which the store did not take what it was to keep. */
  refused(venue: VenueId): number;
  /** Further names of an asset, from the curated registry. */
  aliasesOf(canonicalId: string): readonly string[];
  /** Former names of assets. */
  readonly renames: Renames;
}

export interface Reassignment {
  readonly canonicalId: string;
  readonly ticker: string;
  readonly assetClass: AssetClass;
  readonly basis: 'operator' | 'split';
}

const rank = (basis: IdentityBasis): number => IDENTITY_BASES.indexOf(basis);

/** The grounds on which identities are decided. */
interface Grounds {
  readonly ranges: IdentityRanges;
  readonly registry: Registry;
  /** Ids that another is given in the place of. */
  readonly redirects: ReadonlyMap<string, Omit<Reassignment, 'basis'>>;
}

/** Opens the book over a store. */
export function createInstrumentIdentities(
  store: IdentityStore,
  registry: Registry = createRegistry(),
): InstrumentIdentities {
  const ranges = new IdentityRanges(store);
  const redirects = new Map<string, Omit<Reassignment, 'basis'>>();
  const grounds: Grounds = { ranges, registry, redirects };
  return {
    assign: (instrument, at, mark) => {
      const given = assign(grounds, instrument, at, mark);
      return given && weighed(registry, instrument, given);
    },
    keepOnly: (venue, listed, at) => ranges.endUnlisted(venue, listed, at),
    reassign: (venue, symbol, to, at) => ranges.begin({ venue, symbol, ...to, validFrom: at }),
    confirm: (last) => {
      if (last.basis !== 'operator') ranges.replace(last, { ...last, basis: 'operator' });
    },
    redirect: (from, to) => {
      if (to === undefined) redirects.delete(from);
      else redirects.set(from, to);
    },
    latest: () => ranges.latest(),
    recordsOf: (venue, symbol) => ranges.of(venue, symbol),
    commit: (isExact) => ranges.commit(isExact),
    follow: () => ranges.follow(),
    waiting: (venue) => store.shared?.waiting(venue) ?? 0,
    refused: (venue) => store.shared?.refused(venue) ?? store.refused?.(venue) ?? 0,
    lastAssignment(instrument) {
      const last = ranges.of(instrument.venue, instrument.symbol).at(-1);
      return last && weighed(registry, instrument, assignmentOf(last, registry));
    },
    aliasesOf: (canonicalId) => registry.byId(canonicalId)?.aliases ?? [],
    renames: registry.renames,
  };
}

/** The finding about a contract, with its grounds, which are not stored. */
function weighed(registry: Registry, instrument: Instrument, given: Assignment): Assignment {
  const standing = standingOf(registry, instrument, given);
  return standing === undefined ? given : { ...given, standing };
}

function assign(
  grounds: Grounds,
  instrument: Instrument,
  at: UnixMs,
  mark: Price | undefined,
): Assignment | undefined {
  const { ranges, registry } = grounds;
  const { venue, symbol } = instrument;
  const held = goesOn(ranges.rangeAt(venue, symbol, at), instrument, at);
  const choice = decideIdentity(registry, instrument, mark);
  if (choice === 'needs_price') return held && resume(grounds, held, held.basis);
  const decided = held?.basis === 'operator' ? choice : redirected(grounds, choice);
  if (held !== undefined && !ranges.isShared && isRenamed(registry, held, decided))
    return rename(ranges, held, decided);
  if (held === undefined || !(keeps(held, decided) || (ranges.isShared && returns(ranges, held, decided)))) {
    const { canonicalId, ticker, assetClass, basis } = decided;
    const validFrom = listedSince(ranges.of(venue, symbol).at(-1), instrument, at) ?? at;
    ranges.begin({ venue, symbol, canonicalId, ticker, assetClass, basis, validFrom });
    // The shared store decides a contract's identity for all hosts.
    return ranges.isShared ? held && assignmentOf(held, registry) : decided;
  }
  return resume(grounds, held, held.canonicalId === decided.canonicalId ? decided.basis : held.basis);
}

/** When a symbol became another contract than that of a range: its venue has listed it later. Undefined where it has not. */
function listedSince(
  held: IdentityRecord | undefined,
  instrument: Instrument,
  at: UnixMs,
): UnixMs | undefined {
  const listedAt = passedListing(instrument.listedAt, at);
  return held !== undefined && isRelisted(held.validFrom, listedAt) ? listedAt : undefined;
}

/** The range that a contract goes on with; a symbol that is used again is another contract, however short the gap. */
const goesOn = (
  held: IdentityRecord | undefined,
  instrument: Instrument,
  at: UnixMs,
): IdentityRecord | undefined => (listedSince(held, instrument, at) === undefined ? held : undefined);

/** Follows merges to their end. Decisions leave no circle; one would be left where it begins again. */
function redirected({ redirects }: Grounds, decided: Assignment): Assignment {
  const passed = new Set<string>();
  let last: Assignment = decided;
  for (let to = redirects.get(last.canonicalId); to !== undefined; to = redirects.get(last.canonicalId)) {
    if (passed.has(last.canonicalId)) break;
    passed.add(last.canonicalId);
    last = { ...to, basis: 'operator' };
  }
  return last;
}

/** True if a contract is kept under a former name of its present asset by a rule as strong. */
function isRenamed({ renames }: Registry, held: IdentityRecord, decided: Assignment): boolean {
  const isRuled = rank(held.basis) <= rank(decided.basis) && held.basis !== 'operator';
  return isRuled && renames.presentOf(held.canonicalId, held.validFrom)?.canonicalId === decided.canonicalId;
}

/** The range goes on under the new name: it is the same contract, and what is stored of it goes on with it. */
function rename(ranges: IdentityRanges, held: IdentityRecord, decided: Assignment): Assignment {
  const { validTo: _ended, ...open } = held;
  const { canonicalId, ticker, assetClass, basis } = decided;
  ranges.replace(held, { ...open, canonicalId, ticker, assetClass, basis });
  return decided;
}

function resume({ ranges, registry }: Grounds, held: IdentityRecord, basis: IdentityBasis): Assignment {
  renew(ranges, held, basis);
  return assignmentOf(held, registry);
}

/** Takes up a range that a gap in the lists had ended, and a basis that has become stronger. */
function renew(ranges: IdentityRanges, held: IdentityRecord, basis: IdentityBasis): void {
  const stronger = rank(basis) > rank(held.basis) ? basis : held.basis;
  if (held.validTo === undefined && stronger === held.basis) return;
  const { validTo: _ended, ...open } = held;
  ranges.replace(held, { ...open, basis: stronger });
}

function keeps(held: IdentityRecord, decided: Assignment): boolean {
  if (held.canonicalId === decided.canonicalId) return true;
  if (rank(held.basis) !== rank(decided.basis)) return rank(held.basis) > rank(decided.basis);
  return held.basis === 'price';
}

/**
 * True if a rule would take back a decision that another of its strength has replaced: during an upgrade hosts
 * have different rules, and would give the contract to and fro.
 */
function returns(ranges: IdentityRanges, held: IdentityRecord, decided: Assignment): boolean {
  if (rank(held.basis) !== rank(decided.basis)) return false;
  return ranges.of(held.venue, held.symbol).some(({ canonicalId }) => canonicalId === decided.canonicalId);
}

function assignmentOf(record: IdentityRecord, registry: Registry): Assignment {
  const { canonicalId, ticker, assetClass, basis } = record;
  // The operator has looked at the price.
  const priceRange = basis === 'operator' ? undefined : registry.byId(canonicalId)?.priceRange;
  return { canonicalId, ticker, assetClass, basis, ...(priceRange === undefined ? {} : { priceRange }) };
}

import type { AssetClass, Instrument } from '../domain/instrument.ts';
import { asMs, type Price, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { type Assignment, decideIdentity } from './decide-identity.ts';
import { createRegistry, type Registry } from './registry/lookup.ts';
import { IDENTITY_BASES, type IdentityBasis, type IdentityRecord, type IdentityStore } from './stores.ts';

/** Who a contract is, over time. Ids once given are kept: see `assign`. */
export interface IdentityBook {
  /**
   * The asset behind a contract, given now where it has none. An id that stands is replaced only by a stronger
   * basis. Undefined: only a mark can tell.
   */
  assign(instrument: Instrument, at: UnixMs, mark?: Price): Assignment | undefined;
  /** Ends the identities of contracts that the venue lists no more. */
  keepOnly(venue: VenueId, listed: ReadonlySet<string>, at: UnixMs): void;
  /** Gives a contract another asset: by the operator, or by an automatic split. */
  reassign(venue: VenueId, symbol: string, to: Reassignment, at: UnixMs): void;
  /** Everything ever given to a contract, oldest first. */
  recordsOf(venue: VenueId, symbol: string): readonly IdentityRecord[];
  /** Writes what has changed since the last call. */
  commit(): void;
  /** Further names of an asset, from the curated registry. */
  aliasesOf(canonicalId: string): readonly string[];
}

export interface Reassignment {
  readonly canonicalId: string;
  readonly ticker: string;
  readonly assetClass: AssetClass;
  readonly basis: 'operator' | 'split';
}

/** A contract that is back within this time was missing from a list, not delisted. */
export const RELISTING_GAP_MS = 24 * 3_600_000;

const keyOf = (venue: VenueId, symbol: string): string => `${venue} ${symbol}`;
const rank = (basis: IdentityBasis): number => IDENTITY_BASES.indexOf(basis);

/** Opens the book over a store. */
export function createIdentityBook(
  store: IdentityStore,
  registry: Registry = createRegistry(),
): IdentityBook {
  const ranges = new Map<string, IdentityRecord[]>();
  const byVenue = new Map<VenueId, Map<string, IdentityRecord[]>>();
  const unsaved = new Set<IdentityRecord>();
  for (const record of [...store.load()].sort((a, b) => a.validFrom - b.validFrom)) push(record);

  function push(record: IdentityRecord): void {
    const key = keyOf(record.venue, record.symbol);
    const list = ranges.get(key);
    if (list !== undefined) {
      list.push(record);
      return;
    }
    const fresh = [record];
    ranges.set(key, fresh);
    const venue = byVenue.get(record.venue) ?? new Map<string, IdentityRecord[]>();
    venue.set(record.symbol, fresh);
    byVenue.set(record.venue, venue);
  }

  function replaceLast(list: IdentityRecord[], record: IdentityRecord): void {
    const last = list.pop();
    if (last !== undefined) unsaved.delete(last);
    list.push(record);
    unsaved.add(record);
  }

  function standing(venue: VenueId, symbol: string, at: UnixMs): IdentityRecord | undefined {
    const last = ranges.get(keyOf(venue, symbol))?.at(-1);
    if (last === undefined) return undefined;
    return last.validTo === undefined || at - last.validTo < RELISTING_GAP_MS ? last : undefined;
  }

  function give(venue: VenueId, symbol: string, to: Omit<Assignment, 'priceRange'>, at: UnixMs): void {
    const list = ranges.get(keyOf(venue, symbol));
    const last = list?.at(-1);
    // Two ranges of one contract never begin at the same time: that is their key.
    const validFrom = last !== undefined && at <= last.validFrom ? asMs(last.validFrom + 1) : at;
    if (list !== undefined && last !== undefined && last.validTo === undefined) {
      replaceLast(list, { ...last, validTo: validFrom });
    }
    const { canonicalId, ticker, assetClass, basis } = to;
    const record: IdentityRecord = { venue, symbol, canonicalId, ticker, assetClass, basis, validFrom };
    push(record);
    unsaved.add(record);
  }

  /** Takes up a range that a gap in the lists had ended, and a basis that has become stronger. */
  function renew(record: IdentityRecord, basis: IdentityBasis): void {
    const stronger = rank(basis) > rank(record.basis) ? basis : record.basis;
    if (record.validTo === undefined && stronger === record.basis) return;
    const { validTo: _ended, ...open } = record;
    const list = ranges.get(keyOf(record.venue, record.symbol));
    if (list !== undefined) replaceLast(list, { ...open, basis: stronger });
  }

  const withRange = (record: IdentityRecord): Assignment => {
    const range = registry.byId(record.canonicalId)?.priceRange;
    const { canonicalId, ticker, assetClass, basis } = record;
    return { canonicalId, ticker, assetClass, basis, ...(range === undefined ? {} : { priceRange: range }) };
  };

  return {
    assign(instrument, at, mark) {
      const { venue, symbol } = instrument;
      const held = standing(venue, symbol, at);
      const decided = decideIdentity(registry, instrument, mark);
      if (decided === 'needs_price') {
        if (held === undefined) return undefined;
        renew(held, held.basis);
        return withRange(held);
      }
      if (held !== undefined && keeps(held, decided)) {
        renew(held, held.canonicalId === decided.canonicalId ? decided.basis : held.basis);
        return withRange(held);
      }
      give(venue, symbol, decided, at);
      return decided;
    },
    keepOnly(venue, listed, at) {
      for (const [symbol, list] of byVenue.get(venue) ?? []) {
        const last = list.at(-1);
        if (last === undefined || last.validTo !== undefined || listed.has(symbol)) continue;
        replaceLast(list, { ...last, validTo: at });
      }
    },
    reassign: (venue, symbol, to, at) => give(venue, symbol, to, at),
    recordsOf: (venue, symbol) => ranges.get(keyOf(venue, symbol)) ?? [],
    commit() {
      if (unsaved.size === 0) return;
      store.save([...unsaved]);
      unsaved.clear();
    },
    aliasesOf: (canonicalId) => registry.byId(canonicalId)?.aliases ?? [],
  };
}

function keeps(held: IdentityRecord, decided: Assignment): boolean {
  if (held.canonicalId === decided.canonicalId) return true;
  if (rank(held.basis) !== rank(decided.basis)) return rank(held.basis) > rank(decided.basis);
  return held.basis === 'price';
}

import type { UnixMs } from '../domain/units.ts';
import type { InstrumentIdentities } from './identity.ts';
import { isCaseVariant, type NamedListing } from './name-index.ts';
import type { IdentityRecord } from './stores.ts';
import type { Table, VenueTrack } from './table-state.ts';
import type { ListedContract, ListingScope } from './view.ts';

type Identities = Pick<InstrumentIdentities, 'latest' | 'recordsOf' | 'renames'>;

const order = (a: ListedContract, b: ListedContract): number =>
  a.venue === b.venue ? (a.symbol < b.symbol ? -1 : 1) : a.venue < b.venue ? -1 : 1;

/** Contracts that venues list now, or listed at a moment as far as this service saw them, ordered by venue and symbol. */
export function listingsOf(table: Table, identity: Identities, scope: ListingScope): ListedContract[] {
  const { at } = scope;
  const found = at === undefined ? listedNow(table, identity, scope) : listedAt(table, identity, scope, at);
  return [...found].sort(order);
}

function* listedNow(table: Table, identity: Identities, scope: ListingScope): Generator<ListedContract> {
  for (const track of table.venues.values()) {
    const venue = track.info.id;
    if (scope.venue !== undefined && scope.venue !== venue) continue;
    for (const [symbol, { state, group }] of track.contracts) {
      if (group === undefined) continue;
      if (scope.canonicalId !== undefined && scope.canonicalId !== group.canonicalId) continue;
      const since = identity.recordsOf(venue, symbol).at(-1)?.validFrom;
      if (since === undefined) continue;
      const { ticker, assetClass } = state.assignment ?? group.assignment;
      const { canonicalId } = group;
      const { instrument } = state;
      yield { venue, symbol, canonicalId, ticker, assetClass, seenFrom: since, instrument };
    }
  }
}

function* listedAt(
  table: Table,
  identity: Identities,
  scope: ListingScope,
  at: UnixMs,
): Generator<ListedContract> {
  for (const last of identity.latest()) {
    if (scope.venue !== undefined && scope.venue !== last.venue) continue;
    const held = identity.recordsOf(last.venue, last.symbol).find((range) => holdsAt(range, at));
    if (held === undefined) continue;
    const { venue, symbol, assetClass, validFrom: seenFrom, validTo: seenUntil } = held;
    const name = identity.renames.presentOf(held.canonicalId, seenFrom) ?? held;
    if (scope.canonicalId !== undefined && scope.canonicalId !== name.canonicalId) continue;
    const { canonicalId, ticker } = name;
    const listed = { venue, symbol, canonicalId, ticker, assetClass, seenFrom };
    if (seenUntil !== undefined) yield { ...listed, seenUntil };
    else {
      const instrument = table.venues.get(venue)?.contracts.get(symbol)?.state.instrument;
      yield instrument === undefined ? listed : { ...listed, instrument };
    }
  }
}

const holdsAt = ({ validFrom, validTo }: IdentityRecord, at: UnixMs): boolean =>
  validFrom <= at && (validTo === undefined || validTo > at);

/** The assets that a venue lists, with all their names. */
export function* namedListings(
  track: VenueTrack,
  identity: Pick<InstrumentIdentities, 'aliasesOf'>,
): Generator<NamedListing> {
  for (const group of track.groups.values()) {
    const instruments = group.contracts.map((state) => state.instrument);
    const named = instruments.filter((instrument) => !isCaseVariant(instrument));
    yield {
      canonicalId: group.canonicalId,
      ticker: group.assignment.ticker,
      assetClass: group.assignment.assetClass,
      names: [...named.map((it) => it.ticker), ...identity.aliasesOf(group.canonicalId)],
      contracts: instruments,
    };
  }
}

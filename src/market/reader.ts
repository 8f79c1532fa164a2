import type { Clock } from '../domain/clock.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { ContractState } from './contract.ts';
import { type EligibilitySources, freshLimit } from './eligibility.ts';
import { FormerNames } from './former-names.ts';
import type { InstrumentIdentities } from './identity.ts';
import { type Judged, judgeContract } from './judge-contract.ts';
import { listingsOf, namedListings } from './listings.ts';
import { NameIndex, VenueNames } from './name-index.ts';
import { renamingOf } from './renaming.ts';
import { resolveName } from './resolve.ts';
import { type BuiltRow, buildRow } from './row.ts';
import type { RowSnapshots } from './row-snapshots.ts';
import { interestByVenue, type StoredInterest } from './stated-interest.ts';
import { type Group, primaryOf, type Table } from './table-state.ts';
import { summarizeVenue } from './venue-summary.ts';
import { sumOf } from './venue-totals.ts';
import type {
  ListedContract,
  ListingScope,
  MarketRow,
  MarketView,
  Renaming,
  Resolution,
  TrackedVenue,
  VenueTotals,
} from './view.ts';

export interface ReaderParts {
  readonly table: Table;
  readonly clock: Clock;
  readonly identity: InstrumentIdentities;
  readonly snapshots: RowSnapshots;
  readonly sources: EligibilitySources;
  /** Open interest as it was before the process began. */
  readonly interestBefore: StoredInterest;
  /** Brings what depends on time up to date. */
  readonly settle: () => void;
}

/** Names whose meaning is kept. */
const MOST_RESOLVED = 10_000;

/** The read side of the live table. */
export function createReader(parts: ReaderParts): MarketView & RowSnapshots {
  return new TableReader(parts);
}

class TableReader implements MarketView, RowSnapshots {
  readonly rowsAsOf: RowSnapshots['rowsAsOf'];
  readonly delayed: RowSnapshots['delayed'];
  readonly #table: Table;
  readonly #clock: Clock;
  readonly #identity: InstrumentIdentities;
  readonly #sources: EligibilitySources;
  readonly #interestBefore: StoredInterest;
  readonly #settle: () => void;
  readonly #former: FormerNames;
  #order: Group[] = [];
  #rows: readonly MarketRow[] = [];
  /** The rows of the groups of `#rowsOrder`, by position. */
  #byPosition: (MarketRow | undefined)[] = [];
  #rowsOrder: readonly Group[] = [];
  #rowsVersion = -1;
  readonly #venueNames = new Map<VenueId, VenueNames>();
  readonly #index = new NameIndex(this.#venueNames);
  /** Names that mean one asset, since what they mean last changed. */
  readonly #resolved = new Map<string, Resolution>();
  #summaries: readonly TrackedVenue[] = [];
  #summarySweep = -1;

  constructor({ table, clock, identity, snapshots, sources, interestBefore, settle }: ReaderParts) {
    this.#table = table;
    this.#clock = clock;
    this.#identity = identity;
    this.#former = new FormerNames(identity, clock);
    this.#sources = sources;
    this.#interestBefore = interestBefore;
    this.#settle = settle;
    this.rowsAsOf = snapshots.rowsAsOf;
    this.delayed = snapshots.delayed;
  }

  get version(): number {
    this.#settle();
    return this.#table.version;
  }

  rows(): readonly MarketRow[] {
    this.#settle();
    if (this.#rowsVersion === this.#table.version) return this.#rows;
    this.#renewRows(this.#visible());
    this.#rows = this.#byPosition.filter((row) => row !== undefined);
    this.#rowsVersion = this.#table.version;
    return this.#rows;
  }

  get size(): number {
    return this.#visible().length;
  }

  rowsOf(canonicalId: string): readonly MarketRow[] {
    const now = this.#clock.now();
    return this.#groupsOf(canonicalId).flatMap((group) => currentRow(this.#table, group, now) ?? []);
  }

  row(venue: VenueId, canonicalId: string): MarketRow | undefined {
    const group = this.#groupOf(venue, canonicalId);
    return group && currentRow(this.#table, group, this.#clock.now());
  }

  contract(venue: VenueId, symbol: string): MarketRow | undefined {
    this.#settle();
    const { state, group } = this.#table.venues.get(venue)?.contracts.get(symbol) ?? {};
    if (state === undefined || group === undefined) return undefined;
    const now = this.#clock.now();
    if (primaryOf(group) === state) return group.visible ? currentRow(this.#table, group, now) : undefined;
    return rowOf(this.#table, group, state, this.#judged(group, state, now), now)?.row;
  }

  totals(venue: VenueId, canonicalId: string): VenueTotals | undefined {
    const group = this.#groupOf(venue, canonicalId);
    // Sums leave out nothing that is known: what the contracts are judged to be is not looked at.
    return group && sumOf(contractRows(this.#table, group, () => group, this.#clock.now()));
  }

  statedInterest(canonicalId: string): ReadonlyMap<VenueId, number> {
    this.#settle();
    return interestByVenue(this.#table, this.#interestBefore, canonicalId, this.#clock.now());
  }

  contractsOf(canonicalId: string): readonly MarketRow[] {
    const now = this.#clock.now();
    return this.#groupsOf(canonicalId).flatMap((group) =>
      contractRows(this.#table, group, (state) => this.#judged(group, state, now), now),
    );
  }

  identitiesOf(ticker: string): readonly string[] {
    return this.#names().named(ticker);
  }

  resolve(name: string, options: { venue?: VenueId; canonicalId?: string } = {}): Resolution {
    const index = this.#names();
    const key = JSON.stringify([name, options.venue, options.canonicalId]);
    const known = this.#resolved.get(key);
    if (known !== undefined) return known;
    const found = resolveName(index, name, options, this.#identity.renames.leadOf);
    if (this.#resolved.size >= MOST_RESOLVED) this.#resolved.clear();
    // Anybody can ask for names that there are none of.
    if (found.kind === 'one') this.#resolved.set(key, found);
    return found;
  }

  formerly(name: string, options?: { venue?: VenueId; canonicalId?: string }): Resolution {
    return this.#former.resolve(name, options);
  }

  renamed(name: string, options?: { venue?: VenueId; canonicalId?: string }): Renaming | undefined {
    const listed = this.resolve(name, options);
    const found = listed.kind === 'unknown' ? this.formerly(name, options) : listed;
    return renamingOf(this.#identity.renames, name, found, options?.canonicalId);
  }

  listings(scope: ListingScope): readonly ListedContract[] {
    this.#settle();
    return listingsOf(this.#table, this.#identity, scope);
  }

  aliasesOf(canonicalId: string): readonly string[] {
    return this.#identity.aliasesOf(canonicalId);
  }

  venues(): readonly TrackedVenue[] {
    this.#settle();
    const { venues, sweeps } = this.#table;
    if (this.#summarySweep !== sweeps) {
      this.#summaries = [...venues.values()]
        .map((track) => summarizeVenue(track, this.#identity))
        .sort((a, b) => a.sourceId - b.sourceId);
      this.#summarySweep = sweeps;
    }
    return this.#summaries;
  }

  venue(id: VenueId): TrackedVenue | undefined {
    return this.venues().find((venue) => venue.info.id === id);
  }

  lists(venue: VenueId, canonicalId: string): boolean {
    return this.#table.venues.get(venue)?.groups.has(canonicalId) ?? false;
  }

  *eachRow(): Generator<MarketRow> {
    for (const group of this.#visible()) {
      // A value that has leapt since the last row is judged before it is shown.
      if (this.#table.unjudged) this.#settle();
      const row = group.visible ? currentRow(this.#table, group, this.#clock.now()) : undefined;
      if (row !== undefined) yield row;
    }
  }

  #visible(): readonly Group[] {
    this.#settle();
    if (this.#table.reordered) {
      this.#order = visibleInOrder(this.#table);
      for (const [position, group] of this.#order.entries()) group.position = position;
      this.#table.reordered = false;
    }
    return this.#order;
  }

  /** Only rows that have changed are looked at: all of them lie too far apart in memory to be passed over quickly. */
  #renewRows(order: readonly Group[]): void {
    const now = this.#clock.now();
    const { changed } = this.#table;
    if (order === this.#rowsOrder) {
      for (const group of changed) {
        if (order[group.position] !== group) continue;
        this.#byPosition[group.position] = currentRow(this.#table, group, now);
      }
    } else {
      this.#byPosition = order.map((group) => currentRow(this.#table, group, now));
      this.#rowsOrder = order;
    }
    changed.clear();
  }

  /** The visible group of an asset at a venue. */
  #groupOf(venue: VenueId, canonicalId: string): Group | undefined {
    this.#settle();
    const group = this.#table.venues.get(venue)?.groups.get(canonicalId);
    return group?.visible === true ? group : undefined;
  }

  #groupsOf(canonicalId: string): readonly Group[] {
    this.#settle();
    return this.#table.assets.get(canonicalId)?.groups.filter(({ visible }) => visible) ?? [];
  }

  #judged(group: Group, state: ContractState, now: UnixMs): Judged {
    return judgeContract(this.#table, group, state, this.#sources, now);
  }

  /** Only what a venue has listed or taken away since is indexed again: all of it would hold up a request for 70 ms. */
  #names(): NameIndex {
    if (this.#table.renamed.size > 0) this.#resolved.clear();
    for (const track of this.#table.renamed) {
      this.#venueNames.set(track.info.id, new VenueNames(namedListings(track, this.#identity)));
    }
    this.#table.renamed.clear();
    return this.#index;
  }
}

/** The row as of now; built again only when something about it has changed. */
function currentRow(table: Table, group: Group, now: UnixMs): MarketRow | undefined {
  if (!group.dirty) return group.row;
  const state = primaryOf(group);
  if (state === undefined) return undefined;
  const built = rowOf(table, group, state, group, now);
  group.row = built?.row;
  group.expiresAt = built?.expiresAt ?? Number.POSITIVE_INFINITY;
  group.dirty = false;
  return group.row;
}

/** Rows of all contracts of a group. */
function contractRows(
  table: Table,
  group: Group,
  judgedOf: (state: ContractState) => Judged,
  now: UnixMs,
): readonly MarketRow[] {
  return group.contracts.flatMap((state) => rowOf(table, group, state, judgedOf(state), now)?.row ?? []);
}

/** The row of one contract of a group. */
function rowOf(
  table: Table,
  group: Group,
  state: ContractState,
  judged: Judged,
  now: UnixMs,
): BuiltRow | undefined {
  table.rowVersion += 1;
  const { ticker, assetClass } = group.assignment;
  const frame = {
    venue: group.track.info.id,
    sourceId: group.track.sourceId,
    ticker,
    canonicalId: group.canonicalId,
    assetClass,
    comparable: judged.comparable,
    uncomparableReason: judged.reason,
    suspectReason: judged.eligibility?.suspect,
    fresh: judged.fresh,
    rateFresh: judged.rateFresh,
    version: table.rowVersion,
  };
  return buildRow(state, frame, now, freshLimit(group.track.refreshMs));
}

/** Visible rows ordered by (canonical_id, source_id). */
function visibleInOrder(table: Table): Group[] {
  const assets = [...table.assets.values()].sort((a, b) =>
    a.canonicalId < b.canonicalId ? -1 : a.canonicalId > b.canonicalId ? 1 : 0,
  );
  return assets.flatMap((asset) => asset.groups.filter((group) => group.visible));
}

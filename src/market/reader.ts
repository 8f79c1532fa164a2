import type { Clock } from '../domain/clock.ts';
import type { UnixMs } from '../domain/units.ts';
import type { ContractState } from './contract.ts';
import type { IdentityBook } from './identity.ts';
import { buildNameIndex, type NamedListing, type NameIndex } from './name-index.ts';
import { resolveName } from './resolve.ts';
import { type BuiltRow, buildRow } from './row.ts';
import type { RowSnapshots } from './row-snapshots.ts';
import { freshLimit } from './sweep.ts';
import { type Group, shown, type Table } from './table-state.ts';
import { summarizeVenue } from './venue-summary.ts';
import { sumOf } from './venue-totals.ts';
import type { MarketRow, MarketView, TrackedVenue } from './view.ts';

export interface ReaderParts {
  readonly table: Table;
  readonly clock: Clock;
  readonly identity: IdentityBook;
  readonly snapshots: RowSnapshots;
  /** Brings what depends on time up to date. */
  readonly settle: () => void;
}

/** The read side of the live table. */
export function createReader({
  table,
  clock,
  identity,
  snapshots,
  settle,
}: ReaderParts): MarketView & RowSnapshots {
  let order: Group[] = [];
  let rows: readonly MarketRow[] = [];
  let rowsVersion = -1;
  let index: NameIndex | undefined;
  let summaries: readonly TrackedVenue[] = [];
  let summarySweep = -1;

  const names = (): NameIndex => {
    if (index === undefined || table.renamed) {
      index = buildNameIndex(listings(table, identity));
      table.renamed = false;
    }
    return index;
  };
  const visible = (): readonly Group[] => {
    settle();
    if (table.reordered) {
      order = visibleInOrder(table);
      table.reordered = false;
    }
    return order;
  };
  const allRows = (): readonly MarketRow[] => {
    settle();
    if (rowsVersion === table.version) return rows;
    const now = clock.now();
    const built: MarketRow[] = [];
    for (const group of visible()) {
      const row = currentRow(table, group, now);
      if (row !== undefined) built.push(row);
    }
    rows = built;
    rowsVersion = table.version;
    return rows;
  };
  function* eachRow(): Generator<MarketRow> {
    for (const group of visible()) {
      const row = group.visible ? currentRow(table, group, clock.now()) : undefined;
      if (row !== undefined) yield row;
    }
  }
  const allVenues = (): readonly TrackedVenue[] => {
    settle();
    if (summarySweep !== table.sweeps) {
      summaries = [...table.venues.values()]
        .map((track) => summarizeVenue(track, identity))
        .sort((a, b) => a.sourceId - b.sourceId);
      summarySweep = table.sweeps;
    }
    return summaries;
  };

  return {
    rowsAsOf: snapshots.rowsAsOf,
    get version() {
      settle();
      return table.version;
    },
    rows: allRows,
    eachRow,
    get size() {
      return visible().length;
    },
    rowsOf(canonicalId) {
      settle();
      const now = clock.now();
      const groups = table.assets.get(canonicalId)?.groups ?? [];
      return groups.flatMap((group) => (group.visible ? (currentRow(table, group, now) ?? []) : []));
    },
    row(venue, canonicalId) {
      settle();
      const group = table.venues.get(venue)?.groups.get(canonicalId);
      return group?.visible ? currentRow(table, group, clock.now()) : undefined;
    },
    contract(venue, symbol) {
      settle();
      const { state, group } = table.venues.get(venue)?.contracts.get(symbol) ?? {};
      if (state === undefined || group === undefined) return undefined;
      if (shown(group) === state) return group.visible ? currentRow(table, group, clock.now()) : undefined;
      return rowOf(table, group, state, clock.now())?.row;
    },
    totals(venue, canonicalId) {
      settle();
      const group = table.venues.get(venue)?.groups.get(canonicalId);
      return group?.visible === true ? sumOf(contractRows(table, group, clock.now())) : undefined;
    },
    contractsOf(canonicalId) {
      settle();
      const now = clock.now();
      const groups = table.assets.get(canonicalId)?.groups ?? [];
      return groups.flatMap((group) => (group.visible ? contractRows(table, group, now) : []));
    },
    identitiesOf: (ticker) => names().named(ticker),
    resolve: (name, options) => resolveName(names(), name, options),
    venues: allVenues,
    venue: (id) => allVenues().find((venue) => venue.info.id === id),
    lists: (venue, canonicalId) => table.venues.get(venue)?.groups.has(canonicalId) ?? false,
  };
}

/** The row as of now; built again only when something about it has changed. */
function currentRow(table: Table, group: Group, now: UnixMs): MarketRow | undefined {
  if (!group.dirty) return group.row;
  const state = shown(group);
  if (state === undefined) return undefined;
  const built = rowOf(table, group, state, now);
  group.row = built?.row;
  group.expiresAt = built?.expiresAt ?? Number.POSITIVE_INFINITY;
  group.dirty = false;
  return group.row;
}

/** Rows of all contracts of a group. */
function contractRows(table: Table, group: Group, now: UnixMs): readonly MarketRow[] {
  return group.contracts.flatMap((state) => rowOf(table, group, state, now)?.row ?? []);
}

/** The row of one contract of a group, judged as the group is. */
function rowOf(table: Table, group: Group, state: ContractState, now: UnixMs): BuiltRow | undefined {
  table.rowVersion += 1;
  const { ticker, assetClass } = group.assignment;
  const frame = {
    venue: group.track.info.id,
    sourceId: group.track.sourceId,
    ticker,
    canonicalId: group.canonicalId,
    assetClass,
    comparable: group.comparable,
    uncomparableReason: group.reason,
    suspectReason: group.standing?.suspect,
    fresh: group.fresh,
    rateFresh: group.rateFresh,
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

function* listings(table: Table, identity: IdentityBook): Generator<NamedListing> {
  for (const track of table.venues.values()) {
    for (const group of track.groups.values()) {
      const instruments = group.contracts.map((state) => state.instrument);
      yield {
        venue: track.info.id,
        canonicalId: group.canonicalId,
        ticker: group.assignment.ticker,
        assetClass: group.assignment.assetClass,
        names: [...instruments.map((it) => it.ticker), ...identity.aliasesOf(group.canonicalId)],
        contracts: instruments,
      };
    }
  }
}

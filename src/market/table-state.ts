import type { AssetClass } from '../domain/instrument.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId, VenueInfo, VenueStatus } from '../domain/venue.ts';
import type { Eligibility } from './comparable.ts';
import { type ContractState, clampTimes } from './contract.ts';
import type { Assignment } from './decide-identity.ts';
import type { MarketRow, UncomparableReason } from './view.ts';

/** A contract and the group it belongs to; none while its identity waits for a mark. */
export interface TrackedContract {
  state: ContractState;
  group: Group | undefined;
}

/** All contracts of one asset on one venue; one of them is shown as the row. */
export interface Group {
  readonly track: VenueTrack;
  readonly canonicalId: string;
  readonly contracts: ContractState[];
  assignment: Assignment;
  /** Index of the contract that is shown. */
  primary: number;
  /** Something about the row has changed since it was built. */
  dirty: boolean;
  /** Index among the visible groups when they were last put in order. */
  position: number;
  row: MarketRow | undefined;
  /** When a fact of the row becomes too old. */
  expiresAt: number;
  /** Has a fact that is young enough, as of the last sweep or patch. */
  visible: boolean;
  comparable: boolean;
  reason: UncomparableReason | undefined;
  fresh: boolean;
  /** Has a rate within its limit at a live venue. */
  rateFresh: boolean;
  /** Since when the identity has been uncertain; 0 = it is not. */
  uncertainSince: number;
  /** The finding of the last sweep. */
  eligibility: Eligibility | undefined;
  /** When that may change without a patch; 0 = it may have changed already. */
  standsUntil: number;
}

export interface VenueTrack {
  info: VenueInfo;
  readonly sourceId: number;
  refreshMs: number;
  /** By the venue's own symbol. */
  readonly contracts: Map<string, TrackedContract>;
  readonly groups: Map<string, Group>;
  /** Receipt of the last quotes; 0 = never. */
  lastQuoteAt: number;
  status: VenueStatus;
  /** Collected no more, for good. */
  isRetired: boolean;
  freshSymbols: number;
}

/** One asset over all venues. */
export interface Asset {
  readonly canonicalId: string;
  readonly assetClass: AssetClass;
  /** Ordered by source id. */
  readonly groups: Group[];
  /** True if a sweep has judged these groups beside each other. */
  judged: boolean;
}

export interface Table {
  readonly venues: Map<VenueId, VenueTrack>;
  readonly assets: Map<string, Asset>;
  version: number;
  rowVersion: number;
  /** Groups that were marked dirty since all rows were last looked at. */
  readonly changed: Set<Group>;
  /** The set of visible rows, or its order, has changed. */
  reordered: boolean;
  /** Venues whose names or listings have changed. */
  readonly renamed: Set<VenueTrack>;
  /** Something has appeared or gone that no sweep has judged. */
  unjudged: boolean;
  /** Sweeps so far. */
  sweeps: number;
  /** Patches of contracts that are not listed. */
  unlistedPatches: number;
}

export function createTable(): Table {
  return {
    venues: new Map(),
    assets: new Map(),
    version: 0,
    rowVersion: 0,
    changed: new Set(),
    reordered: true,
    renamed: new Set(),
    unjudged: false,
    sweeps: 0,
    unlistedPatches: 0,
  };
}

/** Has the row of a group built again at its next reading. */
export function markDirty(table: Table, group: Group): void {
  if (group.dirty) return;
  group.dirty = true;
  table.changed.add(group);
  table.version += 1;
}

/** Has the next sweep look at all groups of a venue. */
export function invalidateJudgements(track: VenueTrack): void {
  for (const group of track.groups.values()) group.standsUntil = 0;
}

/** Has what was received at a later time than now, by a clock that was set back since, age from now on. */
export function clampFutureTimes(table: Table, now: UnixMs): void {
  for (const track of table.venues.values()) {
    track.lastQuoteAt = Math.min(track.lastQuoteAt, now);
    for (const { state } of track.contracts.values()) clampTimes(state, now);
    for (const group of track.groups.values()) {
      group.uncertainSince = Math.min(group.uncertainSince, now);
      markDirty(table, group);
    }
    invalidateJudgements(track);
  }
}

/** The contract that a group shows. */
export function primaryOf(group: Group): ContractState | undefined {
  return group.contracts[group.primary];
}

/** Puts a contract into the group of its asset, making group and asset where they are missing. */
export function attach(
  table: Table,
  track: VenueTrack,
  tracked: TrackedContract,
  assignment: Assignment,
): void {
  detach(table, tracked);
  const id = assignment.canonicalId;
  const group = track.groups.get(id) ?? createGroup(track, assignment);
  track.groups.set(id, group);
  renewAssignment(group, tracked.state, assignment);
  group.contracts.push(tracked.state);
  tracked.group = group;
  const asset = table.assets.get(id) ?? createAsset(assignment);
  table.assets.set(id, asset);
  if (!asset.groups.includes(group)) {
    asset.judged = false;
    asset.groups.push(group);
    asset.groups.sort((a, b) => a.track.sourceId - b.track.sourceId);
  }
  changedStructure(table, track);
}

/**
 * Renews a group's asset by one of its contracts. An operator's decision about one stands for all: rules that
 * gave others the same asset have not looked at the price.
 */
export function renewAssignment(group: Group, state: ContractState, assignment: Assignment): void {
  group.standsUntil = 0;
  state.assignment = assignment;
  if (group.assignment.basis !== 'operator' || assignment.basis === 'operator') group.assignment = assignment;
}

/** Takes a contract out of its group; groups and assets without contracts go. */
export function detach(table: Table, tracked: TrackedContract): void {
  const group = tracked.group;
  if (group === undefined) return;
  tracked.group = undefined;
  const at = group.contracts.indexOf(tracked.state);
  const showing = primaryOf(group);
  group.contracts.splice(at, 1);
  group.primary = Math.max(0, showing === undefined ? 0 : group.contracts.indexOf(showing));
  group.dirty = true;
  group.standsUntil = 0;
  if (group.contracts.length === 0) removeGroup(table, group);
  changedStructure(table, group.track);
}

function removeGroup(table: Table, group: Group): void {
  group.track.groups.delete(group.canonicalId);
  table.changed.delete(group);
  const asset = table.assets.get(group.canonicalId);
  if (asset === undefined) return;
  asset.groups.splice(asset.groups.indexOf(group), 1);
  asset.judged = false;
  if (asset.groups.length === 0) table.assets.delete(group.canonicalId);
}

function changedStructure(table: Table, track: VenueTrack): void {
  table.reordered = true;
  table.renamed.add(track);
  table.unjudged = true;
  table.version += 1;
}

function createGroup(track: VenueTrack, assignment: Assignment): Group {
  return {
    track,
    canonicalId: assignment.canonicalId,
    contracts: [],
    assignment,
    primary: 0,
    dirty: true,
    position: -1,
    row: undefined,
    expiresAt: 0,
    visible: false,
    comparable: false,
    reason: 'no_mark_price',
    fresh: false,
    rateFresh: false,
    uncertainSince: 0,
    eligibility: undefined,
    standsUntil: 0,
  };
}

function createAsset({ canonicalId, assetClass }: Assignment): Asset {
  return { canonicalId, assetClass, groups: [], judged: false };
}

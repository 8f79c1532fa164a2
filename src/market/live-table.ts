import type { MarketSink } from '../collect/ports.ts';
import type { Clock } from '../domain/clock.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { splitAsset } from './apply-split.ts';
import type { ContractState, StepListener } from './contract.ts';
import type { IdentityBook } from './identity.ts';
import { createIntake } from './intake.ts';
import { createDecisionFeed, memoryDecisionStore, moveContract } from './operator-decisions.ts';
import { createReader } from './reader.ts';
import { createRowSnapshotRing, type RowSnapshots } from './row-snapshots.ts';
import type { DecisionStore, SourceIdStore } from './stores.ts';
import { beginSweep, type Sweep, type SweepSources, sweepTable } from './sweep.ts';
import { createTable } from './table-state.ts';
import { type VenueState, venueState } from './venue-state.ts';
import type { MarketView } from './view.ts';

export interface MarketOptions extends SweepSources {
  readonly clock: Clock;
  readonly identity: IdentityBook;
  readonly sourceIds: SourceIdStore;
  /** What operators decide about identities; another process may write it while this one runs. */
  readonly decisions?: DecisionStore;
  /** Judges what is stated of contracts, before it is shown. */
  readonly listener?: StepListener;
  /** Assets whose rows of the last two minutes are kept, for delayed previews. */
  readonly snapshotAssets?: readonly string[];
}

/** What is known of each contract, shown or not, for who judges it. */
export interface ContractStates {
  readonly of: (venue: VenueId, symbol: string) => ContractState | undefined;
  readonly each: (venue: VenueId, visit: (state: ContractState) => void) => void;
}

/** The live table: `sink` is what the collector writes, `view` what everything else reads. */
export interface Market {
  readonly sink: MarketSink;
  readonly view: MarketView & RowSnapshots;
  readonly contracts: ContractStates;
  /**
   * Judges freshness, comparability, primaries and age as of now, and records past rows. Run it once a second; a
   * read that finds the last sweep much older than that runs it first.
   */
  sweep(): void;
  /**
   * The same, a part of the table at a call: the event loop is free in between. Begins once a second; call it often
   * enough that the parts of a second make the whole.
   *
   * @param share part of the table, 0..1
   */
  sweepPart(share: number): void;
  /** Carries out what operators decided since the last look, without waiting for the next. */
  readDecisions(): void;
  /** Patches of contracts that no instrument list has named, since start. */
  unlistedPatches(): number;
  /** All that is held of a venue, for another table. */
  stateOf(venue: VenueId): VenueState | undefined;
}

const SWEEP_EVERY_MS = 1000;
/** A read waits for no sweep unless the last one began this long ago: parts of a sweep may be late. */
const SWEEP_LATE_MS = 2500;
const SPLIT_CHECK_EVERY_MS = 60_000;
const DECISION_CHECK_EVERY_MS = 30_000;
const SNAPSHOT_SPAN_MS = 120_000;
const SNAPSHOT_EVERY_MS = 5000;

/** Makes the live table. It holds no timer and no socket. */
export function createMarket(options: MarketOptions): Market {
  const { clock, identity } = options;
  const table = createTable();
  const snapshots = createRowSnapshotRing(options.snapshotAssets ?? [], SNAPSHOT_SPAN_MS, SNAPSHOT_EVERY_MS);
  let sweptAt = Number.NEGATIVE_INFINITY;
  let splitCheckedAt = Number.NEGATIVE_INFINITY;
  let decisionsReadAt = Number.NEGATIVE_INFINITY;
  const readDecisions = createDecisionFeed(options.decisions ?? memoryDecisionStore(), table, identity);

  let underWay: Sweep | undefined;

  const intake = createIntake(table, identity, options.sourceIds, options.listener);

  /** What other hosts have decided, and what the store has answered to this one. */
  const hear = (): void => {
    const changed = identity.follow();
    if (changed === undefined) return;
    readDecisions();
    for (const contract of changed) moveContract(table, identity, contract);
    intake.takeNumbers();
  };
  const before = (now: UnixMs): void => {
    sweptAt = now;
    hear();
    if (now - decisionsReadAt < DECISION_CHECK_EVERY_MS) return;
    decisionsReadAt = now;
    readDecisions();
  };
  const after = (now: UnixMs): void => {
    underWay = undefined;
    if (now - splitCheckedAt >= SPLIT_CHECK_EVERY_MS) {
      splitCheckedAt = now;
      for (const asset of [...table.assets.values()]) splitAsset(table, identity, asset, now);
    }
    if (snapshots.due(now)) snapshots.record(now, view.rowsOf);
  };
  const sweep = (): void => {
    const now = clock.now();
    before(now);
    sweepTable(table, options, now);
    after(now);
  };
  const sweepPart = (share: number): void => {
    const now = clock.now();
    hear();
    if (underWay === undefined) {
      if (now - sweptAt < SWEEP_EVERY_MS && !table.unjudged) return;
      before(now);
      underWay = beginSweep(table, options, now);
    }
    // What nobody has judged is not shown in part.
    if (table.unjudged) sweep();
    else if (underWay.go(share, now)) after(now);
  };
  const settle = (): void => {
    if (table.unjudged || clock.now() - sweptAt >= SWEEP_LATE_MS) sweep();
  };
  const view = createReader({ table, clock, identity, snapshots, settle });
  return {
    sink: intake.sink,
    view,
    contracts: {
      of: (venue, symbol) => table.venues.get(venue)?.contracts.get(symbol)?.state,
      each: (venue, visit) => {
        for (const { state } of table.venues.get(venue)?.contracts.values() ?? []) visit(state);
      },
    },
    sweep,
    sweepPart,
    readDecisions: () => {
      hear();
      readDecisions();
    },
    unlistedPatches: () => table.unlistedPatches,
    stateOf(venue) {
      const track = table.venues.get(venue);
      return track && venueState(track);
    },
  };
}

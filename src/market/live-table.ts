import type { Clock } from '../domain/clock.ts';
import type { StatedInterest } from '../domain/series.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import { splitAsset } from './apply-split.ts';
import type { ContractState } from './contract.ts';
import { createDelayedTables, type DelayedTables, FREE_DELAY_MS } from './delayed-table.ts';
import type { InstrumentIdentities } from './identity.ts';
import { createIntake, type Intake, type TableSink } from './intake.ts';
import { createDecisionFeed, memoryDecisionStore, moveContract } from './operator-decisions.ts';
import { createReader } from './reader.ts';
import { createRowSnapshotRing, type RowSnapshotRing, type RowSnapshots } from './row-snapshots.ts';
import { StoredInterest } from './stated-interest.ts';
import type { DecisionStore, SourceIdStore } from './stores.ts';
import { beginSweep, type Sweep, type SweepSources, sweepTable } from './sweep.ts';
import { clampFutureTimes, createTable } from './table-state.ts';
import { type VenueState, venueState } from './venue-state.ts';
import type { MarketView } from './view.ts';

export interface MarketOptions extends SweepSources {
  readonly clock: Clock;
  readonly identity: InstrumentIdentities;
  readonly sourceIds: SourceIdStore;
  /** Operators' decisions about identities; another process may write them while this one runs. */
  readonly decisions?: DecisionStore;
  /** Assets whose rows of the last two minutes are kept, for delayed previews. */
  readonly snapshotAssets?: readonly string[];
  /** The least age of the whole table that is kept for free answers, ms; default 15 minutes. */
  readonly freeDelayMs?: number;
}

/** The state of each contract, shown or not, for those that judge it. */
export interface ContractStates {
  readonly of: (venue: VenueId, symbol: string) => ContractState | undefined;
  readonly each: (venue: VenueId, visit: (state: ContractState) => void) => void;
}

/** The live table: `sink` is what the collector writes, `view` what everything else reads. */
export interface Market {
  readonly sink: TableSink;
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
  /** Takes what was stored of open interest before the process began; it counts for the first hour from now. */
  remember(stated: readonly StatedInterest[]): void;
  /** Patches of contracts that no instrument list has named, since start. */
  unlistedPatches(): number;
  /** All that is held of a venue, for another table. */
  stateOf(venue: VenueId): VenueState | undefined;
}

const SWEEP_EVERY_MS = 1000;
/** A read waits for no sweep unless the last one began this long ago: parts of a sweep may be late. */
const SWEEP_LATE_MS = 2500;
/** A clock that is corrected by less does no harm. */
const SET_BACK_MS = 1000;
const SPLIT_CHECK_EVERY_MS = MINUTE_MS;
const DECISION_CHECK_EVERY_MS = 30_000;
const SNAPSHOT_SPAN_MS = 120_000;
const SNAPSHOT_EVERY_MS = 5000;

/** Makes the live table. It holds no timer and no socket. */
export function createMarket(options: MarketOptions): Market {
  return new LiveTable(options);
}

class LiveTable implements Market {
  readonly sink: TableSink;
  readonly view: MarketView & RowSnapshots;
  readonly contracts: ContractStates;
  readonly #options: MarketOptions;
  readonly #table = createTable();
  readonly #snapshots: RowSnapshotRing;
  readonly #delayed: DelayedTables;
  readonly #interestBefore = new StoredInterest();
  readonly #intake: Intake;
  readonly #carryOut: () => void;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #splitCheckedAt = Number.NEGATIVE_INFINITY;
  #decisionsReadAt = Number.NEGATIVE_INFINITY;
  #underWay: Sweep | undefined;
  /** When this last looked at the clock. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: MarketOptions) {
    const { clock, identity, sourceIds, decisions, snapshotAssets, freeDelayMs = FREE_DELAY_MS } = options;
    const table = this.#table;
    this.#options = options;
    this.#snapshots = createRowSnapshotRing(snapshotAssets ?? [], SNAPSHOT_SPAN_MS, SNAPSHOT_EVERY_MS);
    this.#delayed = createDelayedTables(freeDelayMs);
    this.#carryOut = createDecisionFeed(decisions ?? memoryDecisionStore(), table, identity);
    this.#intake = createIntake(table, identity, sourceIds);
    this.sink = this.#intake.sink;
    const settle = (): void => this.#settle();
    this.view = createReader({
      table,
      clock,
      identity,
      snapshots: { rowsAsOf: this.#snapshots.rowsAsOf, delayed: this.#delayed },
      sources: options,
      interestBefore: this.#interestBefore,
      settle,
    });
    this.contracts = {
      of: (venue, symbol) => table.venues.get(venue)?.contracts.get(symbol)?.state,
      each: (venue, visit) => {
        for (const { state } of table.venues.get(venue)?.contracts.values() ?? []) visit(state);
      },
    };
  }

  sweep(): void {
    const now = this.#now();
    this.#before(now);
    sweepTable(this.#table, this.#options, now);
    this.#after(now);
  }

  sweepPart(share: number): void {
    const now = this.#now();
    this.#hear();
    if (this.#underWay === undefined) {
      if (now - this.#sweptAt < SWEEP_EVERY_MS && !this.#table.unjudged) return;
      this.#before(now);
      this.#underWay = beginSweep(this.#table, this.#options, now);
    }
    // Rows that have not been judged are not shown in part.
    if (this.#table.unjudged) this.sweep();
    else if (this.#underWay.go(share, now)) this.#after(now);
  }

  readDecisions(): void {
    this.#hear();
    this.#carryOut();
  }

  remember(stated: readonly StatedInterest[]): void {
    this.#interestBefore.remember(stated, this.#now());
  }

  unlistedPatches(): number {
    return this.#table.unlistedPatches;
  }

  stateOf(venue: VenueId): VenueState | undefined {
    const track = this.#table.venues.get(venue);
    return track && venueState(track);
  }

  #settle(): void {
    if (this.#table.unjudged || this.#now() - this.#sweptAt >= SWEEP_LATE_MS) this.sweep();
  }

  /** A time noted before the clock was set back would lie ahead. */
  #now(): UnixMs {
    const now = this.#options.clock.now();
    if (now < this.#lookedAt - SET_BACK_MS) {
      this.#sweptAt = this.#splitCheckedAt = this.#decisionsReadAt = Number.NEGATIVE_INFINITY;
      clampFutureTimes(this.#table, now);
    }
    this.#lookedAt = now;
    return now;
  }

  #before(now: UnixMs): void {
    this.#sweptAt = now;
    this.#hear();
    if (now - this.#decisionsReadAt < DECISION_CHECK_EVERY_MS) return;
    this.#decisionsReadAt = now;
    this.#carryOut();
  }

  /** Takes other hosts' decisions, and the store's answers to this one. */
  #hear(): void {
    const { identity } = this.#options;
    const changed = identity.follow();
    if (changed === undefined) return;
    this.#carryOut();
    for (const contract of changed) moveContract(this.#table, identity, contract);
    this.#intake.takeNumbers();
  }

  #after(now: UnixMs): void {
    this.#underWay = undefined;
    if (now - this.#splitCheckedAt >= SPLIT_CHECK_EVERY_MS) {
      this.#splitCheckedAt = now;
      const { identity } = this.#options;
      for (const asset of [...this.#table.assets.values()]) splitAsset(this.#table, identity, asset, now);
    }
    if (this.#snapshots.due(now)) this.#snapshots.record(now, (id) => this.view.rowsOf(id));
    if (this.#delayed.due(now)) this.#delayed.record(now, this.view.rows());
  }
}

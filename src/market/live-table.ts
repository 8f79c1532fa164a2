import type { MarketSink } from '../collect/ports.ts';
import type { Clock } from '../domain/clock.ts';
import { splitAsset } from './apply-split.ts';
import type { IdentityBook } from './identity.ts';
import { createIntake } from './intake.ts';
import { createDecisionFeed, type DecisionStore, memoryDecisionStore } from './operator-decisions.ts';
import { createPastRing, type PastRows } from './past-rows.ts';
import { createReader } from './reader.ts';
import type { SourceIdStore } from './stores.ts';
import { type SweepSources, sweepTable } from './sweep.ts';
import { createTable } from './table-state.ts';
import type { MarketView } from './view.ts';

export interface MarketOptions extends SweepSources {
  readonly clock: Clock;
  readonly identity: IdentityBook;
  readonly sourceIds: SourceIdStore;
  /** What operators decide about identities; another process may write it while this one runs. */
  readonly decisions?: DecisionStore;
  /** Assets whose rows of the last two minutes are kept, for delayed previews. */
  readonly keepPast?: readonly string[];
}

/** The live table: `sink` is what the collector writes, `view` what everything else reads. */
export interface Market {
  readonly sink: MarketSink;
  readonly view: MarketView & PastRows;
  /**
   * Judges freshness, comparability, primaries and age as of now, and records past rows. Run it once a second; a
   * read that finds the last sweep older than that runs it first.
   */
  sweep(): void;
  /** Patches of contracts that no instrument list has named, since start. */
  unlistedPatches(): number;
}

const SWEEP_EVERY_MS = 1000;
const SPLIT_CHECK_EVERY_MS = 60_000;
const DECISION_CHECK_EVERY_MS = 30_000;
const PAST_SPAN_MS = 120_000;
const PAST_EVERY_MS = 5000;

/** Makes the live table. It holds no timer and no socket. */
export function createMarket(options: MarketOptions): Market {
  const { clock, identity } = options;
  const table = createTable();
  const past = createPastRing(options.keepPast ?? [], PAST_SPAN_MS, PAST_EVERY_MS);
  let sweptAt = Number.NEGATIVE_INFINITY;
  let splitCheckedAt = Number.NEGATIVE_INFINITY;
  let decisionsReadAt = Number.NEGATIVE_INFINITY;
  const readDecisions = createDecisionFeed(options.decisions ?? memoryDecisionStore(), table, identity);

  const sweep = (): void => {
    const now = clock.now();
    sweptAt = now;
    if (now - decisionsReadAt >= DECISION_CHECK_EVERY_MS) {
      decisionsReadAt = now;
      readDecisions();
    }
    sweepTable(table, options, now);
    if (now - splitCheckedAt >= SPLIT_CHECK_EVERY_MS) {
      splitCheckedAt = now;
      for (const asset of [...table.assets.values()]) splitAsset(table, identity, asset, now);
    }
    if (past.due(now)) past.record(now, view.rowsOf);
  };
  const settle = (): void => {
    if (table.unjudged || clock.now() - sweptAt >= SWEEP_EVERY_MS) sweep();
  };
  const view = createReader({ table, clock, identity, past, settle });
  return {
    sink: createIntake(table, identity, options.sourceIds),
    view,
    sweep,
    unlistedPatches: () => table.unlistedPatches,
  };
}

import type { CollectLogger } from '../collect/logger.ts';
import type { Clock } from '../domain/clock.ts';
import type { Measure } from '../domain/series.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { type HistoryStore, notStored, type StoreResult, stored } from './store.ts';

/** A value as it is read, in SQL, from the column that holds it as it was written. */
export type Expression = (column: string, measure: Measure) => string;

/** A difference between values as they are read and as they were written. */
export interface ReadingChange {
  /** The stored value times this is the one that is read; undefined = it is read as unknown. */
  readonly factor: number | undefined;
  /** It concerns what was recorded before. */
  readonly before: UnixMs;
  /** As of an earlier moment, values are read without it. */
  readonly knownAt: UnixMs;
  readonly reason: string;
}

/**
 * The way in which stored values of some contracts and a span are read. A sample is read by the time at which it was recorded. An
 * hour of the roll-ups keeps sums of what was written: what differs for all its samples is applied where the hour is read,
 * and what differs for a part of them where the hour is rolled up, by `part`.
 */
export interface Reading {
  /** Equal for two readings that give the same values: a part of the key under which a result is remembered. */
  readonly key: string;
  /** None: every expression is its column. */
  readonly changes: readonly ReadingChange[];
  /** Values of samples: NULL where they are unknown. */
  readonly sample: Expression;
  /** Last values of hours of the roll-ups: NULL where they are unknown. */
  readonly last: Expression;
  /** Sums of hours of the roll-ups: zero where they are unknown, as of no sample. */
  readonly sum: Expression;
  /** Counts of hours of the roll-ups. */
  readonly count: Expression;
  /** Values of samples that are being rolled up, beside the first and last recording of their hour. */
  readonly part: Expression;
}

/** The times at which payments were made, of rows of the table of settlements, in SQL. */
export interface PaymentTimes {
  /** The time of a row, a `DateTime`. */
  readonly at: string;
  /** Condition that a row is a payment. */
  readonly isMade: string;
  /** Payments were made at most so much later than stored, seconds. */
  readonly latestBy: number;
  /** They were made at most so much earlier, seconds. */
  readonly earliestBy: number;
}

/** Venues (all without them) and the earliest time of what is read. */
export interface ReadScope {
  readonly venues?: readonly VenueId[] | undefined;
  readonly from: UnixMs;
}

/** Readings as of one moment. */
export interface Readings {
  readonly of: (scope: ReadScope, measures: readonly Measure[]) => Reading;
  /** Undefined where payments were made when they are stored. */
  readonly payments: (scope: ReadScope) => PaymentTimes | undefined;
}

/** A span of hours of some assets. */
export interface HourSpan {
  readonly from: UnixMs;
  readonly to: UnixMs;
  readonly assets: readonly string[];
}

/** Knows how a store is read, also while that changes. */
export interface ReadingWatch {
  readonly at: (moment: UnixMs) => Readings;
  /** Called by a process that is about to write, and by no other. */
  readonly beforeWriting: (now: UnixMs) => Promise<StoreResult<void>>;
  /** Takes up what has changed; a fault where it cannot be known. */
  readonly refresh: () => Promise<StoreResult<void>>;
  /** The same once a minute while the service runs: what cannot be known now is taken up the next time. */
  readonly follow: () => Promise<void>;
  /** Hours that still wait to be rolled up again, for a process that leaves that to another. */
  readonly stillSplit: () => Promise<StoreResult<readonly HourSpan[]>>;
}

export interface ReadingOptions {
  readonly store: HistoryStore;
  readonly clock: Clock;
  readonly logger: CollectLogger;
  /** Retention of samples, ms. */
  readonly sampleMs: number;
  /** Hours of an asset have to be rolled up again. */
  readonly onSplit: (from: UnixMs, to: UnixMs, assets: readonly string[]) => void;
  /** Answers have changed. */
  readonly onChange: () => void;
}

/** The seam: makes what knows how a store is read. */
export type OpenReading = (options: ReadingOptions) => ReadingWatch;

const asColumn: Expression = (column) => column;

/** Values are read as they were written. */
export const AS_STORED: Reading = {
  key: '',
  changes: [],
  sample: asColumn,
  last: asColumn,
  sum: asColumn,
  count: asColumn,
  part: asColumn,
};

/** All values are read as they were written, at any time. */
export const ALL_AS_STORED: Readings = { of: () => AS_STORED, payments: () => undefined };

/** Corrections of what is stored; those that an empty store notes for itself concern nothing. */
const CORRECTED =
  'SELECT count() FROM corrections WHERE recorded_from < recorded_before AND (isNull(factor) OR factor != 1)';

/**
 * Reads a store as it was written. One in which corrections of its values are noted is refused: without the module that
 * applies them its answers would be wrong.
 */
export const readAsStored: OpenReading = ({ store, logger }) => {
  const refresh = async (): Promise<StoreResult<void>> => {
    const rows = await store.select({ sql: CORRECTED, params: {} }, 'maintain');
    if (!rows.ok) return rows;
    const count = Number(rows.value[0]?.[0] ?? 0);
    if (count === 0) return stored(undefined);
    const message = `${count} corrections of stored values are noted in this history, and this build has no module that applies them: run one that has the module corrections`;
    return notStored('refused', message);
  };
  return {
    at: () => ALL_AS_STORED,
    beforeWriting: async () => stored(undefined),
    refresh,
    follow: async () => {
      const read = await refresh();
      if (!read.ok)
        logger.warn({ reason: read.fault.message }, 'stored values are read as they were written');
    },
    stillSplit: async () => stored([]),
  };
};

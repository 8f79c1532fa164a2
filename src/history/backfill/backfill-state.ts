import type { Instrument } from '../../domain/instrument.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { VenueAdapter } from '../../venues/adapter.ts';

/** How far the back-fill is. */
export interface BackfillState {
  readonly contracts: number;
  /** Contracts whose history is complete. */
  readonly done: number;
  readonly priorityContracts: number;
  readonly priorityDone: number;
  /** What could not be had so far, by venue; it is asked again for as long as the service runs. */
  readonly incomplete: readonly IncompleteVenue[];
  readonly requests: number;
  /** Points written: samples and settlements. */
  readonly points: number;
  /** Venues whose lists are awaited. */
  readonly waiting: number;
}

export interface IncompleteVenue {
  readonly venue: VenueId;
  /** Contracts that were asked about and are not whole; undefined = the venue shows no contract yet. */
  readonly contracts: number | undefined;
}

/** Percent of the contracts whose history is complete. */
export interface BackfillProgress {
  readonly percent: number;
  /** Of the major assets alone. */
  readonly priorityPercent: number;
  readonly incomplete: readonly IncompleteVenue[];
}

/** 100 where there is nothing to do; less before all venues' lists have been looked at. */
export function backfillProgress(state: BackfillState): BackfillProgress {
  const { contracts, done, priorityContracts, priorityDone, waiting, incomplete } = state;
  const percent = (part: number, whole: number): number => {
    if (whole === 0) return waiting > 0 ? 0 : 100;
    const share = Math.floor((part / whole) * 100);
    return waiting > 0 ? Math.min(share, 99) : share;
  };
  return {
    percent: percent(done, contracts),
    priorityPercent: percent(priorityDone, priorityContracts),
    incomplete,
  };
}

/** One contract of a venue. */
export interface Job {
  readonly instrument: Instrument;
  readonly isPriority: boolean;
  /** Kinds of values that are missing; undefined = not requested yet. */
  missingKinds: number | undefined;
  /** When all that there was of it had been requested, Unix ms; 0 before. */
  fetchedAt: number;
}

/** One venue. */
export interface VenueBackfill {
  readonly adapter: VenueAdapter;
  readonly jobs: Map<string, Job>;
  /** Rounds without a new value. */
  emptyRounds: number;
  /** All contracts that the venue lists are complete, or the back-fill is stopped. */
  readonly completed: Promise<void>;
  readonly complete: () => void;
}

export const isComplete = ({ missingKinds }: Job): boolean => missingKinds === 0;

/** The adapter with those of its history endpoints that are asked again; undefined where there are none. */
export function repeatedOf(adapter: VenueAdapter): VenueAdapter | undefined {
  const backfill = adapter.backfill?.filter(({ repeatMs }) => repeatMs !== undefined) ?? [];
  return backfill.length === 0 ? undefined : { ...adapter, backfill };
}

/** Contracts that are complete, and were long enough ago to be asked about again. */
export function dueAgain(
  { jobs }: VenueBackfill,
  { backfill = [] }: VenueAdapter,
  now: number,
): readonly Job[] {
  const afterMs = Math.min(...backfill.map(({ repeatMs = Number.POSITIVE_INFINITY }) => repeatMs));
  return [...jobs.values()].filter((job) => isComplete(job) && now - job.fetchedAt >= afterMs);
}

/** A back-fill of which nothing is known yet. */
export function venueBackfill(adapter: VenueAdapter): VenueBackfill {
  let complete = (): void => {};
  const completed = new Promise<void>((resolve) => {
    complete = resolve;
  });
  return { adapter, jobs: new Map(), emptyRounds: 0, completed, complete };
}

/** Venues that show no contract, and those of whose contracts something is missing. */
export function incompleteVenues(fills: readonly VenueBackfill[]): readonly IncompleteVenue[] {
  return fills.flatMap(({ adapter, jobs }) => {
    const incomplete = [...jobs.values()].filter((job) => job.missingKinds !== undefined && !isComplete(job));
    if (jobs.size > 0 && incomplete.length === 0) return [];
    return [{ venue: adapter.id, contracts: jobs.size === 0 ? undefined : incomplete.length }];
  });
}

import { setMaxListeners } from 'node:events';
import type { Instrument } from '../../domain/instrument.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { IncompleteVenue, PastFill } from '../../history/past-fill.ts';
import type { MarketRow } from '../../market/view.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { VenueAdapter } from '../../venues/adapter.ts';
import type { ContractHistory } from './contract-history.ts';
import type { MissingSpan } from './gaps.ts';

/** The progress of the back-fill. */
export interface BackfillState {
  readonly contracts: number;
  /** Contracts whose history is complete. */
  readonly done: number;
  readonly priorityContracts: number;
  readonly priorityDone: number;
  /** Spans that could not be had so far, by venue; they are asked for again for as long as the service runs. */
  readonly incomplete: readonly IncompleteVenue[];
  readonly requests: number;
  /** Points written: samples and settlements. */
  readonly points: number;
  /** Spans without points, though the venue answered all requests; a listing within the span is none. */
  readonly missing: readonly MissingAtVenue[];
  /** Venues whose lists are awaited. */
  readonly waiting: number;
}

/** Stretches of the past that a venue gave nothing of. */
export interface MissingAtVenue {
  readonly venue: VenueId;
  readonly contracts: number;
  /** Summed over contracts and kinds of values. */
  readonly hours: number;
}

/** 100 where there is nothing to do; less before all venues' lists have been looked at. */
export function pastFill(state: BackfillState): PastFill {
  const { contracts, done, priorityContracts, priorityDone, waiting, incomplete } = state;
  const percent = (part: number, whole: number): number => {
    if (whole === 0) return waiting > 0 ? 0 : 100;
    const share = Math.floor((part / whole) * 100);
    return waiting > 0 ? Math.min(share, 99) : share;
  };
  return {
    contracts,
    done,
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
  /** Until when its payments are written, Unix ms; 0 before. */
  paidTo: number;
  /** Rounds in which the venue answered everything and left the same kinds with gaps. */
  gapRounds: number;
  /** Spans without points in the round that was taken as complete. */
  missing: readonly MissingSpan[];
}

/** So often is asked for what lies in a gap; then it is the venue's own, as of hours in which it did not run. */
const GAP_ROUNDS = 3;

/** The kinds to ask for again: those that failed, and those with gaps until these were there in three rounds. Counts the rounds. */
export function openKinds(job: Job, { failed, hasOnlyGaps }: ContractHistory): readonly string[] {
  if (!hasOnlyGaps) return failed;
  job.gapRounds += 1;
  return job.gapRounds >= GAP_ROUNDS ? [] : failed;
}

/** Hours of the stretches of a contract that its venue gave nothing of. */
export const missingHoursOf = ({ missing }: Job): number =>
  missing.reduce((sum, { from, to }) => sum + (to - from) / HOUR_MS, 0);

/** Spans for which each venue has no points; venues without gaps are left out. */
export function missingByVenue(fills: readonly VenueBackfill[]): readonly MissingAtVenue[] {
  return fills.flatMap(({ adapter, jobs }) => {
    const withGaps = [...jobs.values()].filter(({ missing }) => missing.length > 0);
    if (withGaps.length === 0) return [];
    const hours = withGaps.reduce((sum, job) => sum + missingHoursOf(job), 0);
    return [{ venue: adapter.id, contracts: withGaps.length, hours }];
  });
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
  /** Aborts when the back-fill is stopped, or the venue is gone. */
  readonly signal: AbortSignal;
  readonly end: () => void;
  hasBegun: boolean;
}

/** The choice of contracts to fill. */
export interface ContractChoice {
  readonly instruments: (venue: VenueId) => ReadonlyMap<string, Instrument>;
  readonly rows: () => readonly MarketRow[];
  /** Contracts of each venue that are filled, the most traded first. */
  readonly contractsPerVenue: number;
  /** Assets that are filled before all others, and reported on their own. */
  readonly priorityAssets: readonly string[];
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
function venueBackfill(adapter: VenueAdapter): VenueBackfill {
  let complete = (): void => {};
  const completed = new Promise<void>((resolve) => {
    complete = resolve;
  });
  const abort = new AbortController();
  // Every wait of the venue listens to it.
  setMaxListeners(0, abort.signal);
  const end = (): void => {
    abort.abort();
    complete();
  };
  const { signal } = abort;
  return { adapter, jobs: new Map(), emptyRounds: 0, completed, complete, signal, end, hasBegun: false };
}

/** Adds the contracts of each venue that can be asked for its past by now; those that are gone are ended. */
export function followVenues(
  fills: readonly VenueBackfill[],
  adapters: readonly VenueAdapter[],
): readonly VenueBackfill[] {
  const known = new Map(fills.map((fill) => [fill.adapter.id, fill]));
  const venues = adapters.filter(({ backfill = [] }) => backfill.length > 0);
  const followed = venues.map((adapter) => known.get(adapter.id) ?? venueBackfill(adapter));
  for (const fill of fills) if (!followed.includes(fill)) fill.end();
  return followed;
}

/** Venues that show no contract, and those of whose contracts something is missing. */
export function incompleteVenues(fills: readonly VenueBackfill[]): readonly IncompleteVenue[] {
  return fills.flatMap(({ adapter, jobs }) => {
    const incomplete = [...jobs.values()].filter((job) => job.missingKinds !== undefined && !isComplete(job));
    if (jobs.size > 0 && incomplete.length === 0) return [];
    return [{ venue: adapter.id, contracts: jobs.size === 0 ? undefined : incomplete.length }];
  });
}

/** Adds the venue's contracts as far as it shows them; the priority assets stand first, then come the most traded. */
export function addJobs({ adapter, jobs }: VenueBackfill, choice: ContractChoice): void {
  const { rows, instruments, priorityAssets, contractsPerVenue } = choice;
  const isPriority = ({ canonicalId }: MarketRow): boolean => priorityAssets.includes(canonicalId);
  const volume = (row: MarketRow): number => row.volume24hUsd ?? 0;
  const own = rows()
    .filter(
      ({ venue, symbol, markPrice }) => venue === adapter.id && markPrice !== undefined && !jobs.has(symbol),
    )
    .sort((a, b) => Number(isPriority(b)) - Number(isPriority(a)) || volume(b) - volume(a));
  for (const row of own) {
    const instrument = instruments(adapter.id).get(row.symbol);
    if (instrument === undefined || (!isPriority(row) && jobs.size >= contractsPerVenue)) continue;
    jobs.set(row.symbol, {
      instrument,
      isPriority: isPriority(row),
      missingKinds: undefined,
      fetchedAt: 0,
      paidTo: 0,
      gapRounds: 0,
      missing: [],
    });
  }
}

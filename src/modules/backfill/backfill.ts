import { HOUR_MS } from '../../runtime/duration.ts';
import { sleep, systemTimer, type Timer } from '../../runtime/timer.ts';
import type { VenueAdapter } from '../../venues/adapter.ts';
import {
  addJobs,
  type BackfillState,
  type ContractChoice,
  dueAgain,
  followVenues,
  incompleteVenues,
  isComplete,
  type Job,
  missingByVenue,
  repeatedOf,
  type VenueBackfill,
} from './backfill-state.ts';
import { ContractFiller, type FillOptions } from './contract-filler.ts';

export interface BackfillOptions extends ContractChoice, FillOptions {
  readonly venues: () => readonly VenueAdapter[];
  readonly timer?: Timer;
  /** True once every venue is live: until then, and for a moment longer, a start belongs to live data. */
  readonly areAllLive?: () => boolean;
}

const POLL_MS = 250;
/** A user first asks for live data: the back-fill begins so long after all venues are live. */
const AFTER_LIVE_MS = 2000;
/** The back-fill begins so long after the start if a venue does not become live. */
const LATEST_BEGIN_MS = 15_000;
/** Pause before missing kinds are requested again; it doubles with each empty round. */
const AGAIN_MS = 30_000;
const MAX_PAUSE_MS = HOUR_MS;
/** A venue that lists nothing for so long is checked less often, and nothing waits for its priority assets. */
const PATIENCE_MS = 300_000;
/** Interval of the check for contracts listed later. */
const LATER_MS = 300_000;
/** Interval of the check for venues that were found later, or are gone. */
const VENUES_MS = 10_000;
/** Other contracts wait this long for the priority assets of all venues. */
const PRIORITY_WAIT_MS = 20_000;

/**
 * Fills what the service did not sample from the venues' history endpoints: one contract after another, the
 * most traded first. Spans that a venue does not return are requested again, with growing pauses, until
 * complete or the service stops.
 */
export class Backfill {
  readonly #options: BackfillOptions;
  readonly #timer: Timer;
  readonly #filler: ContractFiller;
  readonly #abort = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  readonly #filling = new Set<Promise<unknown>>();
  #fills: readonly VenueBackfill[] = [];
  #startedAt = 0;

  constructor(options: BackfillOptions) {
    this.#options = options;
    this.#timer = options.timer ?? systemTimer;
    this.#filler = new ContractFiller(options, this.#timer, () => this.#isPriorityRequested);
  }

  /** Begins when the venues are live, with each as soon as it has rows; returns at once. */
  start(): void {
    this.#follow();
    this.#running = this.#waitForLive().then(() => {
      this.#startedAt = this.#options.clock.now();
      return this.#watch();
    });
  }

  /** Fills each venue that there is, those found later within seconds. */
  async #watch(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      this.#follow();
      for (const fill of this.#fills) if (!fill.hasBegun) this.#begin(fill);
      await sleep(this.#timer, VENUES_MS, signal);
    }
  }

  #follow(): void {
    this.#fills = followVenues(this.#fills, this.#options.venues());
  }

  #begin(fill: VenueBackfill): void {
    fill.hasBegun = true;
    const filling: Promise<unknown> = Promise.allSettled([this.#fillVenue(fill)]).then(() =>
      this.#filling.delete(filling),
    );
    this.#filling.add(filling);
  }

  async #waitForLive(): Promise<void> {
    const { areAllLive } = this.#options;
    if (areAllLive === undefined) return;
    const { signal } = this.#abort;
    for (let waited = 0; waited < LATEST_BEGIN_MS && !areAllLive(); waited += POLL_MS) {
      await sleep(this.#timer, POLL_MS, signal);
    }
    await sleep(this.#timer, AFTER_LIVE_MS, signal);
  }

  /** Resolves when all listed contracts are complete, or the back-fill is stopped. */
  async finished(): Promise<void> {
    await Promise.all(this.#fills.map(({ completed }) => completed));
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    for (const fill of this.#fills) fill.end();
    await this.#running;
    await Promise.all(this.#filling);
    await this.#options.progress.close();
  }

  state(): BackfillState {
    const jobs = this.#fills.flatMap((fill) => [...fill.jobs.values()]);
    const priorityContracts = jobs.filter(({ isPriority }) => isPriority);
    return {
      contracts: jobs.length,
      done: jobs.filter(isComplete).length,
      priorityContracts: priorityContracts.length,
      priorityDone: priorityContracts.filter(isComplete).length,
      incomplete: incompleteVenues(this.#fills),
      requests: this.#filler.requests,
      points: this.#filler.points,
      missing: missingByVenue(this.#fills),
      waiting: this.#fills.filter(({ jobs }) => jobs.size === 0).length,
    };
  }

  /** Round after round, each over the incomplete contracts. */
  async #fillVenue(fill: VenueBackfill): Promise<void> {
    const { signal } = fill;
    const repeated = repeatedOf(fill.adapter);
    while (!signal.aborted) {
      addJobs(fill, this.#options);
      const open = [...fill.jobs.values()].filter((job) => !isComplete(job));
      const gained = await this.#round(fill, fill.adapter, open);
      fill.emptyRounds = gained ? 0 : fill.emptyRounds + 1;
      const isOver = fill.jobs.size > 0 && open.every(isComplete);
      if (isOver) fill.complete();
      if (isOver && repeated === undefined && fill.jobs.size >= this.#options.contractsPerVenue) return;
      if (isOver && repeated !== undefined)
        await this.#round(fill, repeated, dueAgain(fill, repeated, this.#options.clock.now()));
      await sleep(this.#timer, this.#pauseAfter(fill, isOver), signal);
    }
  }

  #pauseAfter({ jobs, emptyRounds }: VenueBackfill, isOver: boolean): number {
    if (isOver) return LATER_MS;
    if (jobs.size === 0) return this.#isPatient ? POLL_MS : AGAIN_MS;
    return Math.min(MAX_PAUSE_MS, AGAIN_MS * 2 ** emptyRounds);
  }

  get #isPatient(): boolean {
    return this.#options.clock.now() < this.#startedAt + PATIENCE_MS;
  }

  /** @returns whether a contract got more values than before */
  async #round({ signal }: VenueBackfill, adapter: VenueAdapter, jobs: readonly Job[]): Promise<boolean> {
    let gained = false;
    for (const job of jobs) {
      if (!job.isPriority) await this.#waitForPriority(signal);
      if (signal.aborted) return gained;
      try {
        gained = (await this.#filler.fill(adapter, job, signal)) || gained;
      } catch (error) {
        job.missingKinds ??= Number.POSITIVE_INFINITY;
        const reason = error instanceof Error ? error.message : 'unknown error';
        const { symbol } = job.instrument;
        this.#options.logger.warn({ venue: adapter.id, symbol, reason }, 'back-fill of a contract failed');
      }
    }
    return gained;
  }

  /**
   * True once all priority assets were requested: missing spans are requested again then, and no other contract
   * waits for them.
   */
  get #isPriorityRequested(): boolean {
    const isAsked = ({ isPriority, missingKinds }: Job): boolean => !isPriority || missingKinds !== undefined;
    return this.#fills.every(({ jobs }) =>
      jobs.size === 0 ? !this.#isPatient : [...jobs.values()].every(isAsked),
    );
  }

  async #waitForPriority(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const until = this.#startedAt + PRIORITY_WAIT_MS;
    while (!this.#isPriorityRequested && clock.now() < until && !signal.aborted) {
      await sleep(this.#timer, POLL_MS, signal);
    }
  }
}

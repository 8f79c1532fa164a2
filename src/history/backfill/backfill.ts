import { setMaxListeners } from 'node:events';
import type { CollectLogger } from '../../collect/logger.ts';
import { PRIORITY } from '../../collect/priority.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { asMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { MarketRow } from '../../market/view.ts';
import { sleep, systemTimer, type Timer } from '../../runtime/timer.ts';
import type { VenueAdapter } from '../../venues/adapter.ts';
import type { ContractAt } from '../contract-at.ts';
import { type PastValues, pastValues } from '../point-intake.ts';
import type { BackfillState, IncompleteVenue } from './backfill-state.ts';
import { type AskVenue, fetchPast } from './contract-past.ts';
import type { Progress } from './progress.ts';
import { Restraint } from './restraint.ts';
import { rollingVolume } from './rolling-volume.ts';

export interface BackfillOptions {
  readonly venues: () => readonly VenueAdapter[];
  readonly instruments: (venue: VenueId) => ReadonlyMap<string, Instrument>;
  readonly rows: () => readonly MarketRow[];
  readonly contractAt: ContractAt;
  readonly ask: AskVenue;
  /** Writes what was told; false = there is no room now. */
  readonly take: (values: PastValues) => boolean;
  readonly progress: Progress;
  readonly clock: Clock;
  readonly timer?: Timer;
  readonly logger: CollectLogger;
  /** How far back, days. */
  readonly days: number;
  /** Contracts of each venue that are filled, the most traded first. */
  readonly contractsPerVenue: number;
  /** Assets that are filled before all others, and whether they are is told apart. */
  readonly majors: readonly string[];
  /** Whether nothing may be asked at present. */
  readonly isHeld?: () => boolean;
}

/** One contract of a venue. */
interface Job {
  readonly instrument: Instrument;
  readonly isMajor: boolean;
  /** Kinds of values that were not told so far; undefined = it was not asked yet. */
  lacking: number | undefined;
}

/** One venue. */
interface Fill {
  readonly adapter: VenueAdapter;
  readonly jobs: Map<string, Job>;
  /** Rounds since something new was told. */
  idle: number;
  /** All that the venue shows is whole, or nobody waits for it any more. */
  readonly whole: Promise<void>;
  readonly settle: () => void;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const LOOK_MS = 250;
/** Pause before a venue is asked again for what it did not tell; it doubles with each round in vain. */
const AGAIN_MS = 30_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** A venue that shows nothing for so long is looked at less often, and nothing waits for its majors. */
const PATIENCE_MS = 300_000;
/** Contracts that a venue shows later are looked for this often. */
const LATER_MS = 300_000;
const ROOM_PAUSE_MS = 1000;
/** Other contracts wait so long for the majors of all venues. */
const MAJORS_FIRST_MS = 20_000;

/**
 * Fills what the service did not see, from the venues' own past: one contract after another, the most traded first. What
 * a venue does not tell is asked again, with growing pauses, until it is whole or the service stops.
 */
export class Backfill {
  readonly #options: BackfillOptions;
  readonly #timer: Timer;
  readonly #restraint: Restraint;
  readonly #abort = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #fills: readonly Fill[] = [];
  #requests = 0;
  #points = 0;
  #startedAt = 0;

  constructor(options: BackfillOptions) {
    this.#options = options;
    this.#timer = options.timer ?? systemTimer;
    this.#restraint = new Restraint(options.clock, this.#timer, options.isHeld);
    // Every wait of every venue listens to it.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Begins with each venue as soon as it has rows; returns at once. */
  start(): void {
    const venues = this.#options.venues().filter(({ past }) => past !== undefined && past.length > 0);
    this.#startedAt = this.#options.clock.now();
    this.#fills = venues.map(fillOf);
    this.#running = Promise.allSettled(this.#fills.map((fill) => this.#fillVenue(fill)));
  }

  /** Resolves when everything that the venues show has been told, or the back-fill is stopped. */
  async finished(): Promise<void> {
    await Promise.all(this.#fills.map(({ whole }) => whole));
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
    await this.#options.progress.close();
  }

  state(): BackfillState {
    const jobs = this.#fills.flatMap((fill) => [...fill.jobs.values()]);
    const majors = jobs.filter(({ isMajor }) => isMajor);
    return {
      contracts: jobs.length,
      done: jobs.filter(isWhole).length,
      majors: majors.length,
      majorsDone: majors.filter(isWhole).length,
      incomplete: this.#incomplete(),
      requests: this.#requests,
      points: this.#points,
      waiting: this.#fills.filter(({ jobs }) => jobs.size === 0).length,
    };
  }

  #incomplete(): readonly IncompleteVenue[] {
    return this.#fills.flatMap(({ adapter, jobs }) => {
      const lacking = [...jobs.values()].filter((job) => job.lacking !== undefined && !isWhole(job));
      if (jobs.size > 0 && lacking.length === 0) return [];
      return [{ venue: adapter.id, contracts: jobs.size === 0 ? undefined : lacking.length }];
    });
  }

  /** Round after round, each over what is not whole. */
  async #fillVenue(fill: Fill): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      this.#addJobs(fill);
      const open = [...fill.jobs.values()].filter((job) => !isWhole(job));
      const gained = await this.#round(fill.adapter, open);
      fill.idle = gained ? 0 : fill.idle + 1;
      const isOver = fill.jobs.size > 0 && open.every(isWhole);
      if (isOver) fill.settle();
      if (isOver && fill.jobs.size >= this.#options.contractsPerVenue) return;
      await sleep(this.#timer, this.#pauseAfter(fill, isOver), signal);
    }
    fill.settle();
  }

  #pauseAfter({ jobs, idle }: Fill, isOver: boolean): number {
    if (isOver) return LATER_MS;
    if (jobs.size === 0) return this.#isPatient ? LOOK_MS : AGAIN_MS;
    return Math.min(LONGEST_PAUSE_MS, AGAIN_MS * 2 ** idle);
  }

  get #isPatient(): boolean {
    return this.#options.clock.now() < this.#startedAt + PATIENCE_MS;
  }

  /** @returns whether a contract told more than before */
  async #round(adapter: VenueAdapter, jobs: readonly Job[]): Promise<boolean> {
    let gained = false;
    for (const job of jobs) {
      if (!job.isMajor) await this.#majorsFirst();
      if (this.#abort.signal.aborted) return gained;
      try {
        gained = (await this.#fillContract(adapter, job)) || gained;
      } catch (error) {
        job.lacking ??= Number.POSITIVE_INFINITY;
        const reason = error instanceof Error ? error.message : 'unknown error';
        const { symbol } = job.instrument;
        this.#options.logger.warn({ venue: adapter.id, symbol, reason }, 'back-fill of a contract failed');
      }
    }
    return gained;
  }

  /** The majors have been asked about: what is not told then is asked again, and nothing waits for it. */
  get #hasMajors(): boolean {
    const isAsked = ({ isMajor, lacking }: Job): boolean => !isMajor || lacking !== undefined;
    return this.#fills.every(({ jobs }) =>
      jobs.size === 0 ? !this.#isPatient : [...jobs.values()].every(isAsked),
    );
  }

  async #majorsFirst(): Promise<void> {
    const { clock } = this.#options;
    const until = this.#startedAt + MAJORS_FIRST_MS;
    while (!this.#hasMajors && clock.now() < until && !this.#abort.signal.aborted) {
      await sleep(this.#timer, LOOK_MS, this.#abort.signal);
    }
  }

  /** The venue's contracts as far as it shows them; the majors stand first, then come the most traded. */
  #addJobs({ adapter, jobs }: Fill): void {
    const { rows, instruments, majors, contractsPerVenue } = this.#options;
    const isMajor = ({ canonicalId }: MarketRow): boolean => majors.includes(canonicalId);
    const volume = (row: MarketRow): number => row.volume24hUsd ?? 0;
    const own = rows()
      .filter(
        ({ venue, symbol, markPrice }) =>
          venue === adapter.id && markPrice !== undefined && !jobs.has(symbol),
      )
      .sort((a, b) => Number(isMajor(b)) - Number(isMajor(a)) || volume(b) - volume(a));
    for (const row of own) {
      const instrument = instruments(adapter.id).get(row.symbol);
      if (instrument === undefined || (!isMajor(row) && jobs.size >= contractsPerVenue)) continue;
      jobs.set(row.symbol, { instrument, isMajor: isMajor(row), lacking: undefined });
    }
  }

  /** @returns whether it told more than it had */
  async #fillContract(adapter: VenueAdapter, job: Job): Promise<boolean> {
    const { instrument, isMajor } = job;
    const { clock, ask, contractAt, progress, days, instruments } = this.#options;
    const { venue, symbol } = instrument;
    const now = clock.now();
    const listedAt = contractAt(venue, symbol, now)?.listedAt ?? now;
    const known = progress.filledTo(venue, symbol, listedAt);
    const from = asMs(Math.max(now - days * DAY_MS, (known ?? 0) - HOUR_MS));
    const sources = {
      ...{ adapter, ask, restraint: this.#restraint, timer: this.#timer, signal: this.#abort.signal },
      instruments: () => instruments(venue),
      isUrgent: () => isMajor || this.#hasMajors,
      // The first books of a short window would leave the majors to wait for the next one.
      priority: isMajor ? PRIORITY.spread : PRIORITY.backfill,
    };
    const { decoded, requests, failed } = await fetchPast(sources, instrument, from, now);
    this.#requests += requests;
    const told = failed.length < (job.lacking ?? Number.POSITIVE_INFINITY);
    // A minute is one row: what tells less than is there would replace it.
    if (this.#abort.signal.aborted || !told) return false;
    // A venue that pages by number tells more than it was asked.
    const history = rollingVolume(decoded.history, now).filter(({ time }) => time >= from && time <= now);
    const values = pastValues(venue, { ...decoded, history: [...history] }, contractAt, 'backfilled');
    await this.#write(values);
    job.lacking = failed.length;
    if (failed.length === 0) progress.fill(venue, symbol, listedAt, now);
    return true;
  }

  /** Waits while the store has no room: nothing that was fetched is thrown away. */
  async #write(values: PastValues): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted && !this.#options.take(values)) await sleep(this.#timer, ROOM_PAUSE_MS, signal);
    this.#points += values.samples.length + values.settlements.length;
  }
}

const isWhole = ({ lacking }: Job): boolean => lacking === 0;

function fillOf(adapter: VenueAdapter): Fill {
  let settle = (): void => {};
  const whole = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { adapter, jobs: new Map(), idle: 0, whole, settle };
}

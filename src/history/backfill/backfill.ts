import { setMaxListeners } from 'node:events';
import type { CollectLogger } from '../../collect/logger.ts';
import { PRIORITY } from '../../collect/priority.ts';
import { sleep, systemTimer, type Timer } from '../../collect/timer.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { asMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import type { MarketRow } from '../../market/view.ts';
import type { VenueAdapter } from '../../venues/adapter.ts';
import type { ContractAt } from '../contract-at.ts';
import { type PastValues, pastValues } from '../point-intake.ts';
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
}

/** How far the back-fill is. */
export interface BackfillState {
  readonly contracts: number;
  readonly done: number;
  readonly majors: number;
  readonly majorsDone: number;
  /** Contracts of which something could not be had; they are asked again at the next start. */
  readonly incomplete: number;
  readonly requests: number;
  /** Points written: samples and settlements. */
  readonly points: number;
  /** Venues whose lists are awaited. */
  readonly waiting: number;
}

interface Job {
  readonly instrument: Instrument;
  readonly isMajor: boolean;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const LOOK_MS = 250;
/** A venue that lists nothing for so long has nothing to fill. */
const PATIENCE_MS = 300_000;
const ROOM_PAUSE_MS = 1000;
/** Other contracts wait so long for the majors of all venues. */
const MAJORS_FIRST_MS = 20_000;

/** Fills what the service did not see, from the venues' own past: one contract after another, the most traded first. */
export class Backfill {
  readonly #options: BackfillOptions;
  readonly #timer: Timer;
  readonly #restraint: Restraint;
  readonly #abort = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #contracts = 0;
  #done = 0;
  #majors = 0;
  #majorsDone = 0;
  #incomplete = 0;
  #requests = 0;
  #points = 0;
  #waiting = 0;
  #startedAt = 0;

  constructor(options: BackfillOptions) {
    this.#options = options;
    this.#timer = options.timer ?? systemTimer;
    this.#restraint = new Restraint(options.clock, this.#timer);
    // Every wait of every venue listens to it.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Begins with each venue as soon as it has rows; returns at once. */
  start(): void {
    const venues = this.#options.venues().filter(({ past }) => past !== undefined && past.length > 0);
    this.#waiting = venues.length;
    this.#startedAt = this.#options.clock.now();
    this.#running = Promise.allSettled(venues.map((adapter) => this.#fillVenue(adapter)));
  }

  /** Resolves when everything has been asked. */
  async finished(): Promise<void> {
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
    await this.#options.progress.close();
  }

  state(): BackfillState {
    return {
      contracts: this.#contracts,
      done: this.#done,
      majors: this.#majors,
      majorsDone: this.#majorsDone,
      incomplete: this.#incomplete,
      requests: this.#requests,
      points: this.#points,
      waiting: this.#waiting,
    };
  }

  async #fillVenue(adapter: VenueAdapter): Promise<void> {
    const jobs = await this.#jobsOf(adapter.id);
    this.#waiting -= 1;
    this.#contracts += jobs.length;
    this.#majors += jobs.filter(({ isMajor }) => isMajor).length;
    for (const job of jobs) {
      if (!job.isMajor) await this.#majorsFirst();
      if (this.#abort.signal.aborted) return;
      try {
        await this.#fillContract(adapter, job);
      } catch (error) {
        this.#incomplete += 1;
        const reason = error instanceof Error ? error.message : 'unknown error';
        const { symbol } = job.instrument;
        this.#options.logger.warn({ venue: adapter.id, symbol, reason }, 'back-fill of a contract failed');
      }
      this.#done += 1;
      if (job.isMajor) this.#majorsDone += 1;
    }
  }

  get #hasMajors(): boolean {
    return this.#waiting === 0 && this.#majorsDone === this.#majors;
  }

  async #majorsFirst(): Promise<void> {
    const { clock } = this.#options;
    const until = this.#startedAt + MAJORS_FIRST_MS;
    while (!this.#hasMajors && clock.now() < until && !this.#abort.signal.aborted) {
      await sleep(this.#timer, LOOK_MS, this.#abort.signal);
    }
  }

  /** Waits for the venue's rows; the majors stand first, then come the most traded. */
  async #jobsOf(venue: VenueId): Promise<readonly Job[]> {
    const { clock, rows, instruments, majors, contractsPerVenue } = this.#options;
    const deadline = clock.now() + PATIENCE_MS;
    const { signal } = this.#abort;
    for (;;) {
      const own = rows().filter((row) => row.venue === venue && row.markPrice !== undefined);
      if (own.length > 0 || clock.now() > deadline || signal.aborted) {
        const isMajor = (row: MarketRow): boolean => majors.includes(row.canonicalId);
        const volume = (row: MarketRow): number => row.volume24hUsd ?? 0;
        return [...own]
          .sort((a, b) => Number(isMajor(b)) - Number(isMajor(a)) || volume(b) - volume(a))
          .slice(0, contractsPerVenue)
          .flatMap((row) => {
            const instrument = instruments(venue).get(row.symbol);
            return instrument === undefined ? [] : [{ instrument, isMajor: isMajor(row) }];
          });
      }
      await sleep(this.#timer, LOOK_MS, signal);
    }
  }

  async #fillContract(adapter: VenueAdapter, { instrument, isMajor }: Job): Promise<void> {
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
    if (this.#abort.signal.aborted) return;
    // A venue that pages by number tells more than it was asked.
    const history = rollingVolume(decoded.history, now).filter(({ time }) => time >= from && time <= now);
    const values = pastValues(venue, { ...decoded, history: [...history] }, contractAt, 'backfilled');
    await this.#write(values);
    if (failed.length === 0) progress.fill(venue, symbol, listedAt, now);
    else this.#incomplete += 1;
  }

  /** Waits while the store has no room: nothing that was fetched is thrown away. */
  async #write(values: PastValues): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted && !this.#options.take(values)) await sleep(this.#timer, ROOM_PAUSE_MS, signal);
    this.#points += values.samples.length + values.settlements.length;
  }
}

/** Percent of the contracts that have been asked about, whole. */
export interface BackfillProgress {
  readonly percent: number;
  /** Of the major assets alone. */
  readonly majorsPercent: number;
}

/** 100 where there is nothing to do; less before all venues' lists have been looked at. */
export function backfillProgress(state: BackfillState): BackfillProgress {
  const { contracts, done, majors, majorsDone, waiting } = state;
  const percent = (part: number, whole: number): number => {
    if (whole === 0) return waiting > 0 ? 0 : 100;
    const share = Math.floor((part / whole) * 100);
    return waiting > 0 ? Math.min(share, 99) : share;
  };
  return { percent: percent(done, contracts), majorsPercent: percent(majorsDone, majors) };
}

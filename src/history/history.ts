import type { CollectLogger } from '../collect/logger.ts';
import type { DataStore, HealthBoard } from '../collect/ports.ts';
import type { Clock } from '../domain/clock.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { MarketRow } from '../market/view.ts';
import { DAY_MS } from '../runtime/duration.ts';
import { systemTimer, type Timer, withTimeout } from '../runtime/timer.ts';
import { type ContractAt, contractFinder, type RecordsOf } from './contract-at.ts';
import { recordDeclared } from './corrections/correction-log.ts';
import { CorrectionWatch } from './corrections/correction-watch.ts';
import { type ContractFee, FeeWatch } from './fee-watch.ts';
import { type HistoryRows, historyRows } from './history-rows.ts';
import { countCell, timeCell } from './queries/cells.ts';
import { HistoryReader } from './reader.ts';
import { RecentPoints } from './recent-points.ts';
import { dropExpired, type Retention } from './retention.ts';
import { RollUps } from './roll-ups.ts';
import type { SampledBook } from './sample.ts';
import { sampleBatch, settlementBatch } from './sample-batches.ts';
import { SAMPLE_STEP_MS, Sampler } from './sampler.ts';
import { SECOND_READS_TABLE, type SecondRead, secondReadBatch } from './second-read-rows.ts';
import { ALL_VENUES, gapBatch, StatusWatch } from './status-watch.ts';
import { type HistoryStore, type StoreResult, stored } from './store.ts';
import { type Batch, WriteQueue, type WriteState } from './write-queue.ts';

export interface HistoryOptions {
  readonly store: HistoryStore;
  readonly rows: () => Iterable<MarketRow>;
  readonly health: HealthBoard;
  /** Identity ranges of a contract. */
  readonly recordsOf: RecordsOf;
  readonly book?: (venue: VenueId, symbol: string) => SampledBook | undefined;
  /** Taker fees of the contracts, where they are published. */
  readonly fees?: () => Iterable<ContractFee>;
  readonly clock: Clock;
  readonly timer?: Timer;
  readonly logger: CollectLogger;
  readonly retention: Retention;
  /** Whether this process keeps the history; else it only reads what another keeps. Default true. */
  readonly records?: boolean;
  /** Room on the disk of the store, bytes; undefined = not known. */
  readonly freeBytes?: () => Promise<number | undefined>;
  /** With less room than this nothing is written. */
  readonly minFreeBytes?: number;
  /** Whether samples are taken at a longer step at present, because the machine is too slow. */
  readonly isShed?: () => boolean;
  /** Rows that may wait in memory; default ten minutes of nine thousand. */
  readonly maxWaitingRows?: number;
}

/** How history is doing. */
export interface HistoryState {
  /** Samples reach the disk in time. */
  readonly ok: boolean;
  /** Age of the newest stored sample, seconds; undefined before the first. */
  readonly lagSeconds: number | undefined;
  readonly write: WriteState;
  /** Minutes since start that were not sampled, because the machine was too slow. */
  readonly skippedSamples: number;
}

const MAX_WAITING_ROWS = 90_000;
/** A sample may be as old as three steps before history is late. */
const LATE_MS = 3 * SAMPLE_STEP_MS;
const WATCH_MS = 1000;
const RETENTION_MS = 3_600_000;
const CORRECTIONS_MS = 60_000;
/** What waits at the end has this long to be written. */
const STOP_MS = 20_000;
const FEES_MS = 300_000;

/** The history of a running service: it samples, writes, rolls up, forgets, and answers. */
export class History {
  readonly reader: HistoryReader;
  /** Takes past values that venues tell on their own. */
  readonly sink: DataStore;
  readonly contractAt: ContractAt;
  readonly #options: HistoryOptions;
  readonly #timer: Timer;
  readonly #queue: WriteQueue;
  readonly #sampler: Sampler;
  readonly #rollUps: RollUps;
  readonly #corrections: CorrectionWatch;
  readonly #watch: StatusWatch;
  readonly #fees: FeeWatch;
  readonly #recent = new RecentPoints();
  readonly #startedAt: UnixMs;
  readonly #maxRows: number;
  #newest: UnixMs | undefined;
  #version = 0;
  #cancels: (() => void)[] = [];
  #retaining: Promise<void> = Promise.resolve();
  #correcting: Promise<void> = Promise.resolve();

  constructor(options: HistoryOptions) {
    const { store, clock, logger, retention, rows, book, freeBytes, minFreeBytes, isShed } = options;
    this.#options = options;
    this.#timer = options.timer ?? systemTimer;
    this.#startedAt = clock.now();
    this.#maxRows = options.maxWaitingRows ?? MAX_WAITING_ROWS;
    this.contractAt = contractFinder(options.recordsOf);
    const timer = this.#timer;
    this.#queue = new WriteQueue({
      ...{ store, clock, timer, logger, maxRows: this.#maxRows },
      ...(freeBytes !== undefined && { freeBytes }),
      ...(minFreeBytes !== undefined && { minFreeBytes }),
      onWritten: (batch) => this.#written(batch),
      onLost: (lost) => {
        this.#fees.forget();
        this.#queue.offer(gapBatch({ venue: ALL_VENUES, ...lost }, clock.now()));
      },
    });
    const offer = (batch: Batch) => this.#queue.offer(batch);
    this.#sampler = new Sampler({ rows, book, offer, clock, timer, isShed, contractAt: this.contractAt });
    const oldestWaiting = () => this.#queue.oldestOf('samples');
    const corrections = (at: UnixMs) => this.#corrections.standing(at);
    this.#rollUps = new RollUps({ store, clock, timer, logger, oldestWaiting, corrections });
    this.#corrections = new CorrectionWatch({
      ...{ store, clock, logger, sampleMs: retention.sampleDays * DAY_MS },
      onSplit: (from, to, assets) => this.#rollUps.written(from, to, assets),
      onChange: () => {
        this.#version += 1;
      },
    });
    this.#watch = new StatusWatch(offer);
    this.#fees = new FeeWatch(offer);
    this.reader = new HistoryReader({
      ...{ store, clock, retention, corrections },
      rolledTo: () => this.#rollUps.rolledTo,
      currentTo: (canonicalId) => this.#rollUps.currentTo(canonicalId),
    });
    this.sink = {
      kinds: ['funding', 'history'],
      take: (venue, decoded) => {
        if (options.records !== false) this.#take(historyRows(venue, decoded, this.contractAt, 'settled'));
      },
    };
  }

  /** Finds where the last run ended, and begins. */
  async start(): Promise<StoreResult<void>> {
    const { store, clock, records = true } = this.#options;
    if (!records) return this.#startReading();
    const declared = await recordDeclared(store, clock.now());
    const rolled = declared.ok ? await this.#rollUps.refresh() : declared;
    const known = rolled.ok ? await this.#corrections.refresh() : rolled;
    if (!known.ok) return known;
    const noted = await this.#fees.start(store);
    if (!noted.ok) return noted;
    const newest = await this.#findNewest();
    if (!newest.ok) return newest;
    const now = clock.now();
    if (this.#newest !== undefined) {
      const gap = { venue: ALL_VENUES, from: this.#newest, to: now, reason: 'not_running', rows: 0 };
      if (now - this.#newest > 2 * SAMPLE_STEP_MS) this.#queue.offer(gapBatch(gap, now));
    }
    this.#rollUps.start();
    this.#sampler.start();
    this.#every(WATCH_MS, () => this.#watch.observe(this.#options.health.all(), clock.now()));
    this.#every(FEES_MS, () => this.#fees.observe(this.#options.fees?.() ?? [], clock.now()));
    this.#every(CORRECTIONS_MS, () => {
      this.#correcting = this.#correcting.then(() => this.#corrections.follow());
    });
    this.#retain();
    this.#every(RETENTION_MS, () => this.#retain());
    return stored(undefined);
  }

  /** Follows what another process writes, and writes nothing. */
  async #startReading(): Promise<StoreResult<void>> {
    const rolled = await this.#rollUps.refresh();
    const known = rolled.ok ? await this.#corrections.refresh() : rolled;
    if (!known.ok) return known;
    const follow = async (): Promise<void> => {
      await this.#findNewest();
      await this.#rollUps.refresh();
      await this.#corrections.follow();
      this.#version += 1;
    };
    this.#every(CORRECTIONS_MS, () => {
      this.#correcting = this.#correcting.then(follow);
    });
    return this.#findNewest();
  }

  /** Reads the time of the newest sample. */
  async #findNewest(): Promise<StoreResult<void>> {
    const sql = 'SELECT toUnixTimestamp(max(ts)), count() FROM samples';
    const newest = await this.#options.store.select({ sql, params: {} });
    if (!newest.ok) return newest;
    const [time, count] = newest.value[0] ?? [];
    if (countCell(count) > 0) this.#newest = timeCell(time);
    return stored(undefined);
  }

  /** Writes past values that were asked for, such as those of a back-fill. False: there is no room now. */
  take(values: HistoryRows): boolean {
    // Half of what may wait is kept free for samples, which cannot be asked for again.
    const rows = values.samples.length + values.settlements.length;
    if (!this.#queue.hasRoomFor(rows + this.#maxRows / 2)) return false;
    return this.#take(values);
  }

  /** Writes comparisons with a second way, in the order of their times. False: there is no room now. */
  takeSecondReads(reads: readonly SecondRead[]): boolean {
    const batch = secondReadBatch(reads, this.#options.clock.now());
    return batch === undefined || this.#queue.offer(batch);
  }

  /** Grows with every write that an answer is made of. */
  get version(): number {
    return this.#version;
  }

  state(): HistoryState {
    const write = this.#queue.state();
    const now = this.#options.clock.now();
    const age = now - (this.#newest ?? this.#startedAt);
    return {
      ok: write.mode === 'writing' && age <= LATE_MS,
      lagSeconds: this.#newest === undefined ? undefined : Math.max(0, now - this.#newest) / 1000,
      write,
      skippedSamples: this.#sampler.skipped,
    };
  }

  /**
   * Ends sampling, writes what waits as far as the store takes it, and closes the store, which cuts short what a server
   * that does not answer holds up.
   */
  async stop(): Promise<void> {
    for (const cancel of this.#cancels) cancel();
    const ended = this.#end();
    await withTimeout(ended, STOP_MS, () => undefined, this.#timer);
    await this.#options.store.close();
    await ended;
  }

  async #end(): Promise<void> {
    await this.#sampler.stop();
    const left = await this.#queue.close();
    if (left > 0) this.#options.logger.warn({ rows: left }, 'history stops with rows that were not written');
    await this.#rollUps.stop();
    await this.#retaining;
    await this.#correcting;
  }

  #take({ samples, settlements }: HistoryRows): boolean {
    const recordedAt = this.#options.clock.now();
    if (samples.length > 0 && !this.#queue.offer(sampleBatch(samples, recordedAt))) return false;
    const fresh = this.#recent.fresh(settlements);
    if (fresh.length === 0 || this.#queue.offer(settlementBatch(fresh, recordedAt))) return true;
    this.#recent.forget(fresh);
    return false;
  }

  #written({ table, from, to, assets }: Batch): void {
    if (table === SECOND_READS_TABLE) return;
    this.#version += 1;
    if (table !== 'samples') return;
    if (assets === undefined) this.#newest = asMs(Math.max(this.#newest ?? 0, to));
    this.#rollUps.written(from, to, assets);
  }

  #retain(): void {
    const { store, retention, clock, logger } = this.#options;
    this.#retaining = dropExpired(store, retention, clock.now()).then((dropped) => {
      if (!dropped.ok) logger.warn({ reason: dropped.fault.message }, 'old history is not dropped');
      else if (dropped.value > 0) logger.info({ partitions: dropped.value }, 'old history dropped');
    });
  }

  #every(ms: number, run: () => void): void {
    const at = this.#cancels.length;
    const next = (): void => {
      this.#cancels[at] = this.#timer(ms, () => {
        run();
        next();
      });
    };
    next();
  }
}

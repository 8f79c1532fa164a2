import type { DataStore } from '../collect/ports.ts';
import type { Decoded } from '../domain/decoded.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { DAY_MS } from '../runtime/duration.ts';
import { systemTimer, type Timer, withTimeout } from '../runtime/timer.ts';
import type { Batch } from './batch.ts';
import { type ContractAt, contractFinder } from './contract-at.ts';
import { HistoryFollower } from './history-follower.ts';
import type { HistoryOptions } from './history-options.ts';
import { type HistoryRows, historyRows } from './history-rows.ts';
import { HistoryWriter } from './history-writer.ts';
import { JoinedReader } from './joined-reader.ts';
import { LastInterest } from './last-interest.ts';
import { LastMinuteBuffer } from './last-minute-buffer.ts';
import { NewestSample } from './newest-sample.ts';
import type { HistoryReader } from './reader.ts';
import { type Readings, type ReadingWatch, readAsStored } from './reading.ts';
import { RecentSettlements } from './recent-settlements.ts';
import { RollUps } from './roll-ups.ts';
import { SAMPLE_STEP_MS } from './sample.ts';
import { sampleBatch, settlementBatch } from './sample-batches.ts';
import { ALL_VENUES, gapBatch } from './status-watch.ts';
import type { StoreEngine, StoreResult } from './store.ts';
import { type OnEnd, WriteQueue, type WriteState } from './write-queue.ts';
import { WriterElection } from './writer-election.ts';

/** A process writes the history, waits to do so in the place of another, or reads it alone. */
export const HISTORY_PARTS = ['writer', 'standby', 'reader'] as const;
export type HistoryPart = (typeof HISTORY_PARTS)[number];

/** The condition of the history. */
export interface HistoryState {
  readonly part: HistoryPart;
  readonly engine: StoreEngine;
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
/** Rows that wait at the end have this long to be written. */
const STOP_MS = 20_000;

/** The history of a running service: it samples, writes, rolls up, forgets, and answers; or only answers, while another process writes. */
export class History {
  readonly reader: HistoryReader;
  /** Takes past values that venues tell on their own. */
  readonly sink: DataStore;
  readonly contractAt: ContractAt;
  readonly lastInterest: LastInterest;
  readonly #options: HistoryOptions;
  readonly #timer: Timer;
  readonly #queue: WriteQueue;
  readonly #rollUps: RollUps;
  readonly #reading: ReadingWatch;
  readonly #newest: NewestSample;
  readonly #writer: HistoryWriter;
  readonly #follower: HistoryFollower;
  /** The election, where another process may write in the place of this one. */
  readonly #election: WriterElection | undefined;
  readonly #recent = new RecentSettlements();
  /** Values that came while this process stood by. */
  readonly #standbyRows: LastMinuteBuffer<HistoryRows>;
  readonly #startedAt: UnixMs;
  readonly #maxRows: number;
  #version = 0;

  constructor(options: HistoryOptions) {
    const { store, clock, retention } = options;
    this.#options = options;
    this.#timer = options.timer ?? systemTimer;
    this.#startedAt = clock.now();
    this.#maxRows = options.maxWaitingRows ?? MAX_WAITING_ROWS;
    this.contractAt = contractFinder(options.recordsOf);
    this.#standbyRows = new LastMinuteBuffer(clock);
    this.#newest = new NewestSample(store);
    this.#queue = this.#makeQueue();
    const readings = (at: UnixMs) => this.#reading.at(at);
    this.#rollUps = this.#makeRollUps(readings);
    this.#reading = this.#openReading();
    const parts = { rollUps: this.#rollUps, reading: this.#reading, newest: this.#newest };
    const { contractAt } = this;
    const timer = this.#timer;
    this.#writer = new HistoryWriter(options, { ...parts, timer, contractAt, queue: this.#queue });
    this.#follower = new HistoryFollower({ ...parts, timer, onChange: () => this.#change() });
    this.#election = this.#electWriter();
    this.reader = new JoinedReader({
      store,
      clock,
      retention,
      readings,
      rolledTo: () => this.#rollUps.rolledTo,
      currentTo: (canonicalId) => this.#rollUps.currentTo(canonicalId),
    });
    this.lastInterest = new LastInterest({ store, clock, newest: () => this.#newest.at, readings });
    this.sink = {
      kinds: ['funding', 'history'],
      take: (venue, decoded) => this.#hear(venue, decoded),
    };
  }

  /** Finds where the last run ended, and begins; a stand-by begins as a reader. */
  async start(): Promise<StoreResult<void>> {
    if (this.#part === 'writer') return this.#writer.start();
    const started = await this.#follower.start();
    if (started.ok) this.#election?.start();
    return started;
  }

  /** True while past values are written here. */
  get isWriting(): boolean {
    return this.#writer.isOn;
  }

  /**
   * Writes past values that were asked for, such as those of a back-fill.
   *
   * @returns whether they are on the disk, once that is known; undefined: there is no room now, or another process writes
   */
  take(values: HistoryRows): Promise<boolean> | undefined {
    // Half of what may wait is kept free for samples, which cannot be asked for again.
    const rows = values.samples.length + values.settlements.length;
    if (!this.isWriting || !this.#queue.hasRoomFor(rows + this.#maxRows / 2)) return undefined;
    return this.#take(values);
  }

  /**
   * Writes rows of a table from which the history makes no answer; a stand-by leaves that to the process that writes.
   *
   * @returns false where there is no room now
   */
  takeAside(rows: Omit<Batch, 'isAside'>): boolean {
    return !this.isWriting || this.#queue.offer({ ...rows, isAside: true });
  }

  /** Since when the oldest rows of a table wait to be written; undefined = none do. */
  waitingSince(table: string): UnixMs | undefined {
    return this.#queue.waitingSince(table);
  }

  /** Grows with every write that an answer depends on. */
  get version(): number {
    return this.#version;
  }

  state(): HistoryState {
    const write = this.#queue.state();
    const now = this.#options.clock.now();
    const newest = this.#newest.at;
    const age = now - (newest ?? this.#startedAt);
    return {
      part: this.#part,
      engine: this.#options.store.engine,
      ok: write.mode === 'writing' && age <= LATE_MS,
      lagSeconds: newest === undefined ? undefined : Math.max(0, now - newest) / 1000,
      write,
      skippedSamples: this.#writer.skippedSamples,
    };
  }

  /**
   * Nothing is collected any more: what venues do from now on is not known. Values given so far are still
   * written, until `stop`.
   */
  async rest(): Promise<void> {
    await this.#election?.stop();
    await this.#writer.rest();
  }

  /**
   * Ends sampling, writes what waits as far as the store takes it, and closes the store, which cuts short what a server
   * that does not answer holds up. Only then may its lease go.
   */
  async stop(): Promise<void> {
    const ended = this.#end();
    await withTimeout(ended, STOP_MS, () => undefined, this.#timer);
    await this.#options.store.close();
    await ended;
  }

  async #end(): Promise<void> {
    await this.#election?.stop();
    const followed = this.#follower.stop();
    await this.#writer.quit();
    const left = await this.#queue.close();
    if (left > 0) this.#options.logger.warn({ rows: left }, 'history stops with rows that were not written');
    await this.#writer.ended();
    await followed;
  }

  get #part(): HistoryPart {
    const { records = true, lease } = this.#options;
    if (!records) return 'reader';
    return lease === undefined || this.isWriting ? 'writer' : 'standby';
  }

  #makeQueue(): WriteQueue {
    const { store, clock, logger } = this.#options;
    return new WriteQueue({
      store,
      clock,
      timer: this.#timer,
      logger,
      maxRows: this.#maxRows,
      onWritten: (batch) => this.#written(batch),
      onLost: (lost) => void this.#queue.offer(gapBatch({ venue: ALL_VENUES, ...lost }, clock.now())),
    });
  }

  #makeRollUps(readings: (at: UnixMs) => Readings): RollUps {
    const { store, clock, logger } = this.#options;
    const oldestWaiting = () => this.#queue.oldestOf('samples');
    return new RollUps({ store, clock, timer: this.#timer, logger, oldestWaiting, readings });
  }

  #openReading(): ReadingWatch {
    const { store, clock, logger, retention, reading = readAsStored } = this.#options;
    return reading({
      store,
      clock,
      logger,
      sampleMs: retention.sampleDays * DAY_MS,
      onSplit: (from, to, assets) => this.#rollUps.written(from, to, assets),
      onChange: () => this.#change(),
    });
  }

  #electWriter(): WriterElection | undefined {
    const { records = true, lease, logger } = this.#options;
    if (!records || lease === undefined) return undefined;
    return new WriterElection({
      lease,
      logger,
      timer: this.#timer,
      writer: this.#writer,
      follower: this.#follower,
      // Venues repeat the points that have no room now.
      onBegun: () => {
        for (const values of this.#standbyRows.take()) void this.take(values);
      },
    });
  }

  #change(): void {
    this.#version += 1;
  }

  #hear(venue: VenueId, decoded: Decoded): void {
    if (this.#part === 'reader') return;
    const values = historyRows(venue, decoded, this.contractAt, 'settled');
    if (this.isWriting || this.#election === undefined) void this.#take(values);
    else this.#standbyRows.add(values);
  }

  #take({ samples, settlements }: HistoryRows): Promise<boolean> | undefined {
    const recordedAt = this.#options.clock.now();
    const sampled = this.#offer(sampleBatch(samples, recordedAt));
    if (sampled === undefined) return undefined;
    const fresh = this.#recent.fresh(settlements, recordedAt);
    const paid = this.#offer(settlementBatch(fresh, recordedAt));
    if (paid === undefined) {
      this.#recent.forget(fresh);
      return undefined;
    }
    return Promise.all([sampled, paid]).then((ends) => {
      const isWritten = ends.every((is) => is);
      // A refused batch, alone or with others in one statement, is new when it comes again.
      if (!isWritten) this.#recent.forget(fresh);
      return isWritten;
    });
  }

  /** Resolves with true once it is on the disk, or with false; undefined: there is no room. */
  #offer(batch: Batch): Promise<boolean> | undefined {
    if (batch.lines.length === 0) return Promise.resolve(true);
    let end: OnEnd = () => {};
    const ended = new Promise<boolean>((resolve) => {
      end = resolve;
    });
    return this.#queue.offer(batch, end) ? ended : undefined;
  }

  #written(batch: Batch): void {
    const { table, from, to, assets, isAside } = batch;
    if (isAside === true) return;
    this.#change();
    if (table !== 'samples') return;
    if (assets === undefined) this.#newest.written(to);
    if (this.#part === 'standby') this.#follower.wroteLate(batch);
    else this.#rollUps.written(from, to, assets);
  }
}

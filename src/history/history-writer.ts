import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import { Repeats } from '../runtime/repeats.ts';
import type { Timer } from '../runtime/timer.ts';
import type { Batch } from './batch.ts';
import type { ContractAt } from './contract-at.ts';
import { FeeWatch } from './fee-watch.ts';
import { findFormerVenues } from './former-venues.ts';
import type { HistoryOptions } from './history-options.ts';
import { LastMinuteBuffer } from './last-minute-buffer.ts';
import type { NewestSample } from './newest-sample.ts';
import type { ReadingWatch } from './reading.ts';
import { dropExpired } from './retention.ts';
import type { RollUps } from './roll-ups.ts';
import { SAMPLE_STEP_MS } from './sample.ts';
import { type Predecessor, Sampler } from './sampler.ts';
import { ALL_VENUES, type FormerVenues, gapBatch, StatusWatch } from './status-watch.ts';
import { type HistoryStore, type StoreResult, stored } from './store.ts';
import type { WriteQueue } from './write-queue.ts';

const WATCH_MS = 1000;
const RETENTION_MS = HOUR_MS;
const FEES_MS = 300_000;
const OTHERS_MS = 300_000;

/** The parts of a writer, shared with a reader of the same process. */
export interface WriterParts {
  readonly queue: WriteQueue;
  readonly rollUps: RollUps;
  readonly reading: ReadingWatch;
  readonly newest: NewestSample;
  readonly contractAt: ContractAt;
  readonly timer: Timer;
}

/** The state of the store at the start of writing. */
interface Found {
  /** The last sample that was taken before, where there was one. */
  readonly taken: UnixMs | undefined;
  readonly former: FormerVenues;
}

/** The writing side of the history: samples, notes of venues' states and fees, roll-ups, retention. Can begin again. */
export class HistoryWriter {
  readonly #options: HistoryOptions;
  readonly #parts: WriterParts;
  readonly #sampler: Sampler;
  readonly #watch: StatusWatch;
  readonly #fees: FeeWatch;
  readonly #repeats: Repeats;
  /** Changes of venues that a stand-by has seen. */
  readonly #seen: LastMinuteBuffer<Batch>;
  readonly #startedAt: UnixMs;
  /** Of the lease under which it writes, where there is one. */
  #epoch: number | undefined;
  #isOn = false;
  #isResting = false;
  #working: Promise<void> = Promise.resolve();

  constructor(options: HistoryOptions, parts: WriterParts) {
    const { rows, book, clock, isShed } = options;
    const { queue, contractAt, timer } = parts;
    this.#options = options;
    this.#parts = parts;
    this.#startedAt = clock.now();
    this.#repeats = new Repeats(timer);
    this.#seen = new LastMinuteBuffer(clock);
    const offer = (batch: Batch): boolean => queue.offer(batch);
    const isOurs = (): boolean => options.lease === undefined || options.lease.epoch() === this.#epoch;
    const onTaken = (at: UnixMs, venues: ReadonlySet<VenueId>): void => {
      this.watch();
      this.#watch.sampled(at, venues, clock.now());
    };
    this.#sampler = new Sampler({ rows, book, offer, onTaken, clock, timer, isShed, isOurs, contractAt });
    this.#fees = new FeeWatch((batch, onEnd) => queue.offer(batch, onEnd));
    this.#watch = new StatusWatch((batch) => {
      if (this.#isOn) return offer(batch);
      this.#seen.add(batch);
      return true;
    });
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Minutes since start that were not sampled, because the machine was too slow. */
  get skippedSamples(): number {
    return this.#sampler.skipped;
  }

  /** Finds where the last one ended, and begins. */
  async start(epoch?: number): Promise<StoreResult<void>> {
    const { rollUps, queue } = this.#parts;
    const found = await this.#find();
    if (!found.ok) return found;
    const { taken, former } = found.value;
    this.#epoch = epoch;
    this.#isOn = true;
    this.#isResting = false;
    queue.begin(epoch);
    rollUps.start();
    if (epoch === undefined) this.#noteStop();
    for (const batch of this.#seen.take()) queue.offer(batch);
    this.#watch.resume(former, this.#options.clock.now());
    this.#sampler.start(taken === undefined ? undefined : this.#since(taken, epoch !== undefined));
    this.#repeat();
    return stored(undefined);
  }

  /** Reads all that writing begins with, at once: nothing is sampled meanwhile. */
  async #find(): Promise<StoreResult<Found>> {
    const { store, clock } = this.#options;
    const { rollUps, reading, newest } = this.#parts;
    const findTaken = async (): Promise<StoreResult<UnixMs | undefined>> => {
      const found = await newest.find();
      if (!found.ok) return found;
      return newest.findTaken();
    };
    const findReading = async (): Promise<StoreResult<void>> => {
      const [prepared, rolled] = await Promise.all([reading.beforeWriting(clock.now()), rollUps.refresh()]);
      if (!prepared.ok) return prepared;
      // The hours to roll up again depend on the progress of the roll-ups.
      return rolled.ok ? reading.refresh() : rolled;
    };
    const [taken, read, charged, former] = await Promise.all([
      findTaken(),
      findReading(),
      this.#fees.start(store),
      findFormerVenues(store, clock.now()),
    ]);
    if (!read.ok) return read;
    if (!charged.ok) return charged;
    if (!taken.ok) return taken;
    return former.ok ? stored({ taken: taken.value, former: former.value }) : former;
  }

  /** Notes how venues do, also while this process stands by: what ends later may have begun by now. */
  watch(): void {
    if (this.#isResting) return;
    this.#watch.observe(this.#options.health.all(), this.#options.clock.now());
  }

  /** Samples and watches nothing any more, and still writes what it is given; resolves when the sample under way has been offered. */
  async rest(): Promise<void> {
    if (this.#isOn && !this.#isResting) {
      this.#watch.leave(this.#options.clock.now());
      this.#isResting = true;
    }
    this.#repeats.stop();
    await this.#sampler.stop();
  }

  /** Begins nothing any more; resolves when the sample under way has been offered. */
  async quit(): Promise<void> {
    const resting = this.rest();
    this.#isOn = false;
    this.#isResting = false;
    await resting;
  }

  /** Resolves when what was begun has ended. */
  async ended(): Promise<void> {
    await this.#parts.rollUps.stop();
    await this.#working;
  }

  #repeat(): void {
    const { clock, fees, store } = this.#options;
    this.#repeats.every(WATCH_MS, () => this.watch());
    this.#repeats.every(FEES_MS, () => this.#fees.observe(fees?.() ?? [], clock.now()));
    this.#repeats.every(MINUTE_MS, () => this.#after(() => this.#parts.reading.follow()));
    // An embedded store is held by this process alone.
    if (store.engine !== 'embedded')
      this.#repeats.every(OTHERS_MS, () => this.#after(() => this.#lookForOthers()));
    this.#after(() => this.#retain());
    this.#repeats.every(RETENTION_MS, () => this.#after(() => this.#retain()));
  }

  /** The time without this process, of one that is alone. */
  #noteStop(): void {
    const { newest, queue } = this.#parts;
    const now = this.#options.clock.now();
    // A minute that begins now is not sampled any more.
    if (newest.at === undefined || now - newest.at < SAMPLE_STEP_MS) return;
    const gap = { venue: ALL_VENUES, from: newest.at, to: now, reason: 'not_running', rows: 0 } as const;
    queue.offer(gapBatch(gap, now));
  }

  /** Where the one before had come to, and why what lies between is missing, which one that is alone has noted. */
  #since(at: UnixMs, isTakeOver: boolean): Predecessor {
    if (!isTakeOver) return { at };
    const wasThere = asMs(at + SAMPLE_STEP_MS) >= this.#startedAt;
    return { at, reason: wasThere ? 'recorder_failover' : 'not_running' };
  }

  #after(work: () => Promise<void>): void {
    this.#working = this.#working.then(work);
  }

  /** Without a lease nobody keeps two processes from writing one history. */
  async #lookForOthers(): Promise<void> {
    const { store, clock, logger } = this.#options;
    const twice = await sampledTwice(store, clock.now());
    if (!twice.ok || twice.value === 0) return;
    logger.warn(
      { samples: twice.value },
      'another process writes this history, too: leave the role record to one, or let all of them share one feed',
    );
  }

  async #retain(): Promise<void> {
    const { store, retention, clock, logger } = this.#options;
    const dropped = await dropExpired(store, retention, clock.now());
    if (!dropped.ok) logger.warn({ reason: dropped.fault.message }, 'old history is not dropped');
    else if (dropped.value > 0) logger.info({ partitions: dropped.value }, 'old history dropped');
  }
}

/** The span in which it is searched for another process's samples. */
const OTHERS_SPAN_MS = 10 * MINUTE_MS;

/**
 * A sample that is sent again is the same row; another process samples the same minute at another moment of it.
 */
const TWICE =
  "SELECT count() FROM (SELECT ts FROM samples WHERE origin = 'sampled' AND ts >= toDateTime({from:UInt32}, 'UTC') " +
  'GROUP BY canonical_id, venue, symbol, listed_at, ts HAVING uniqExact(recorded_at) > 1)';

/** Samples of the last ten minutes that two processes have taken, each for itself. */
export async function sampledTwice(store: HistoryStore, now: UnixMs): Promise<StoreResult<number>> {
  const params = { from: Math.max(0, Math.floor((now - OTHERS_SPAN_MS) / 1000)) };
  const found = await store.select({ sql: TWICE, params }, 'maintain');
  return found.ok ? stored(Number(found.value[0]?.[0] ?? 0)) : found;
}

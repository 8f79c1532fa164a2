import type { SendRequest } from '../../collect/background-request.ts';
import { BackgroundThrottle } from '../../collect/background-throttle.ts';
import type { CollectLogger } from '../../collect/logger.ts';
import { PRIORITY } from '../../collect/priority.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { passedListing } from '../../domain/listing.ts';
import type { FundingPoint } from '../../domain/quote.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { ContractAt } from '../../history/contract-at.ts';
import { type HistoryRows, historyRows } from '../../history/history-rows.ts';
import { rollingVolume } from '../../history/rolling-volume.ts';
import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import { sleep, type Timer, unlessAborted } from '../../runtime/timer.ts';
import type { VenueAdapter } from '../../venues/adapter.ts';
import { type ContractChoice, isComplete, type Job, missingHoursOf, openKinds } from './backfill-state.ts';
import { type ContractHistory, fetchContractHistory } from './contract-history.ts';
import type { BackfillSources } from './fetch-answer.ts';
import type { Progress } from './progress.ts';

export interface FillOptions {
  readonly instruments: ContractChoice['instruments'];
  readonly contractAt: ContractAt;
  readonly send: SendRequest;
  /** Queues rows for writing: whether they are on the disk, once that is known; undefined = the queue is full. */
  readonly take: (values: HistoryRows) => Promise<boolean> | undefined;
  readonly progress: Progress;
  readonly clock: Clock;
  readonly logger: CollectLogger;
  /** The length of the filled span, days. */
  readonly days: number;
  /** True while no request may be made. */
  readonly isHeld?: () => boolean;
}

const ROOM_PAUSE_MS = 1000;

/**
 * The beginning of a contract's back-fill. Points of the symbol from before its listing are another contract's.
 */
const beginning = ({ listedAt }: Instrument, now: UnixMs, days: number): number =>
  Math.max(now - days * DAY_MS, passedListing(listedAt, now) ?? 0);

/** Fills one contract at a time: requests what its venue has of the span, writes it, and notes how far it is filled. */
export class ContractFiller {
  readonly #options: FillOptions;
  readonly #timer: Timer;
  readonly #throttle: BackgroundThrottle;
  readonly #isPriorityRequested: () => boolean;
  #requests = 0;
  #points = 0;

  /** @param isPriorityRequested whether other contracts need not wait for the priority assets any more */
  constructor(options: FillOptions, timer: Timer, isPriorityRequested: () => boolean) {
    this.#options = options;
    this.#timer = timer;
    this.#throttle = new BackgroundThrottle(options.clock, timer, options.isHeld);
    this.#isPriorityRequested = isPriorityRequested;
  }

  /** Requests made so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Points written so far. */
  get points(): number {
    return this.#points;
  }

  /** @returns whether it got more values than it had */
  async fill(adapter: VenueAdapter, job: Job, signal: AbortSignal): Promise<boolean> {
    const { instrument } = job;
    const { clock, contractAt, progress, days } = this.#options;
    const { venue, symbol } = instrument;
    const now = clock.now();
    const listedAt = contractAt(venue, symbol, now)?.listedAt ?? now;
    const isAgain = isComplete(job);
    const known = isAgain ? job.fetchedAt : (progress.filledTo(venue, symbol, listedAt) ?? 0);
    const from = asMs(Math.max(beginning(instrument, now, days), known - HOUR_MS));
    const sources = this.#sourcesOf(adapter, job, signal);
    const fetched = await fetchContractHistory(sources, instrument, from, now);
    this.#requests += fetched.requests;
    const { decoded } = fetched;
    const failed = openKinds(job, fetched);
    const hasMore = isAgain
      ? failed.length === 0
      : failed.length < (job.missingKinds ?? Number.POSITIVE_INFINITY);
    // A minute is one row: an incomplete one would replace a better one.
    if (signal.aborted || !hasMore) return false;
    // A venue that pages by number returns more than the span.
    const history = rollingVolume(decoded.history, now).filter(({ time }) => time >= from && time <= now);
    // Payments written while another kind was missing are not written again; a rate in force is part of a minute.
    const isUnwritten = (point: FundingPoint): boolean =>
      point.observed === true || point.time >= job.paidTo - HOUR_MS;
    const funding = decoded.funding.filter(isUnwritten);
    const values = historyRows(
      venue,
      { ...decoded, funding, history: [...history] },
      contractAt,
      'backfilled',
    );
    const isWritten = await this.#write(values, signal);
    if (isWritten === undefined) return false;
    if (!isWritten) throw new Error('the store refuses its rows');
    job.missingKinds = failed.length;
    if (!failed.includes('funding')) job.paidTo = now;
    if (failed.length > 0) return true;
    job.fetchedAt = now;
    this.#tellMissing(job, fetched);
    // Later points are asked for after a restart.
    if (!isAgain) await progress.fill(venue, symbol, listedAt, now);
    return true;
  }

  /** Says what a venue has no points of, though it answered everything; a listing within the span is nothing to say. */
  #tellMissing(job: Job, { missing }: ContractHistory): void {
    job.missing = missing.filter(({ reason }) => reason !== 'before_first');
    if (job.missing.length === 0) return;
    const { venue, symbol } = job.instrument;
    const missingHours = missingHoursOf(job);
    this.#options.logger.warn(
      { venue, symbol, missingHours, missing: job.missing.slice(0, 8) },
      'the venue has gaps in its history',
    );
  }

  #sourcesOf(adapter: VenueAdapter, { isPriority, instrument }: Job, signal: AbortSignal): BackfillSources {
    const { send, instruments } = this.#options;
    return {
      adapter,
      send,
      throttle: this.#throttle,
      timer: this.#timer,
      signal,
      instruments: () => instruments(instrument.venue),
      isUrgent: () => isPriority || this.#isPriorityRequested(),
      // The first books of a short window would leave the priority assets to wait for the next one.
      priority: isPriority ? PRIORITY.perContract : PRIORITY.backfill,
    };
  }

  /**
   * Waits while the write queue is full, and then for the disk: what only waits in memory is gone with the process, and
   * must not be noted as filled.
   *
   * @returns whether the rows are on the disk; undefined where the signal aborts before that is known
   */
  async #write(values: HistoryRows, signal: AbortSignal): Promise<boolean | undefined> {
    let taken: Promise<boolean> | undefined;
    while (taken === undefined) {
      if (signal.aborted) return undefined;
      taken = this.#options.take(values);
      if (taken === undefined) await sleep(this.#timer, ROOM_PAUSE_MS, signal);
    }
    const isWritten = await unlessAborted(taken, signal);
    if (isWritten === true) this.#points += values.samples.length + values.settlements.length;
    return isWritten;
  }
}

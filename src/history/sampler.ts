import type { Clock } from '../domain/clock.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { MarketRow } from '../market/view.ts';
import { HOUR_MS } from '../runtime/duration.ts';
import { sleep, type Timer } from '../runtime/timer.ts';
import type { Batch } from './batch.ts';
import type { ContractAt } from './contract-at.ts';
import { SAMPLE_STEP_MS, type Sample, type SampledBook } from './sample.ts';
import { SAMPLE_COLUMNS, SampleEncoder } from './sample-rows.ts';
import { ALL_VENUES, gapBatch } from './status-watch.ts';

/** The same while the machine is too slow for more. */
const SHED_STEP_MS = 300_000;
/**
 * Further apart the clocks of two recorders are not, or of one before and after it is set: a sample of a later time than
 * that is a fault, and holds nobody up.
 */
const CLOCKS_APART_MS = 300_000;
/** A timer fires no earlier than this: where it seems to, the clock was set back. */
const EARLY_MS = 1000;
/**
 * Rows taken before the event loop gets its turn, and how long that turn is: nine thousand rows are taken within half a
 * second. They are encoded more slowly: whatever comes in meanwhile, frame by frame, must not wait behind that.
 */
const TAKING = { rows: 100, pauseMs: 4 } as const;
const ENCODING = { rows: 20, pauseMs: 10 } as const;

/** The facts of a row at the moment it was taken. */
interface Taken {
  readonly row: MarketRow;
  readonly book: SampledBook | undefined;
  readonly recordedAt: UnixMs;
}

export interface SamplerOptions {
  /** The live rows, each as it is when it is reached. */
  readonly rows: () => Iterable<MarketRow>;
  readonly contractAt: ContractAt;
  /** The content of the fresh book of a row's contract, where there is one. */
  readonly book?: ((venue: VenueId, symbol: string) => SampledBook | undefined) | undefined;
  readonly offer: (batch: Batch) => boolean;
  /** Called with the venues of which the sample of a minute has rows. */
  readonly onTaken?: ((at: UnixMs, venues: ReadonlySet<VenueId>) => void) | undefined;
  readonly clock: Clock;
  readonly timer: Timer;
  /** True while samples are taken at the longer step. */
  readonly isShed?: (() => boolean) | undefined;
  /** True if no other process can take the sample of this moment; default always. */
  readonly isOurs?: (() => boolean) | undefined;
}

/** The newest sample of the process that sampled before. */
export interface Predecessor {
  readonly at: UnixMs;
  /** The reason for the gap in between; absent where that is not to be noted. */
  readonly reason?: string;
}

/** Minutes that are left out, from the first. */
interface LeftOut {
  readonly from: UnixMs;
  readonly reason: string;
}

/**
 * A live row as a sample of the moment `at`. Touch, depth and slippage are of the book alone: a ticker's touch
 * beside them would be of another moment.
 */
export function sampleOf(row: MarketRow, at: UnixMs, listedAt: UnixMs, book?: SampledBook): Sample {
  // One literal without spreads: those make a table of hashes of so many fields, some kilobytes for each row.
  return {
    canonicalId: row.canonicalId,
    ticker: row.ticker,
    venue: row.venue,
    symbol: row.symbol,
    listedAt,
    at,
    origin: 'sampled',
    comparable: row.comparable,
    fundingRate: row.fundingRate,
    fundingIntervalHours: row.fundingIntervalHours,
    markPrice: row.markPrice,
    indexPrice: row.indexPrice,
    openInterestRaw: row.openInterestRaw,
    openInterestBase: row.openInterestBase,
    openInterestUsd: row.openInterestUsd,
    volume24hBase: row.volume24hBase,
    volume24hUsd: row.volume24hUsd,
    bestBid: book?.bestBid,
    bestAsk: book?.bestAsk,
    depth: book,
    shown: row,
  };
}

/**
 * Takes a sample of every fresh row at each full minute. A row that is not fresh states nothing new: leaving it out
 * is what makes an outage visible.
 */
export class Sampler {
  readonly #options: SamplerOptions;
  readonly #encoder = new SampleEncoder();
  #stopping = new AbortController();
  #encodedHour = 0;
  #skipped = 0;
  #leftOut: LeftOut | undefined;
  /** Of the newest sample that was taken here. */
  #takenAt = asMs(0);
  /** The minute after the last one that was looked at; undefined = none was since start. */
  #due: UnixMs | undefined;
  /** Of the newest sample that others have taken. */
  #othersTo = asMs(0);
  #cancel: (() => void) | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  /** @param before who sampled before this */
  start(before?: Predecessor): void {
    this.#stopping = new AbortController();
    this.#due = undefined;
    if (before !== undefined) {
      // A sample taken here may not be stored yet.
      this.#othersTo = asMs(Math.max(this.#takenAt, before.at));
      const { reason } = before;
      if (reason !== undefined) this.#leftOut = { from: asMs(this.#othersTo + SAMPLE_STEP_MS), reason };
    }
    this.#next();
  }

  #next(): void {
    const { clock, timer } = this.#options;
    const now = clock.now();
    const next = (Math.floor(now / SAMPLE_STEP_MS) + 1) * SAMPLE_STEP_MS;
    this.#cancel = timer(next - now, () => {
      // A timer may fire a moment early; the minute it was set for is the one that is sampled.
      const at = Math.max(next, Math.floor(clock.now() / SAMPLE_STEP_MS) * SAMPLE_STEP_MS);
      if (clock.now() >= next - EARLY_MS) this.#minute(asMs(at));
      this.#next();
    });
  }

  /** Resolves when the sample under way has been offered. */
  async stop(): Promise<void> {
    this.#cancel?.();
    this.#stopping.abort();
    await this.#working;
  }

  /** Minutes since start whose sample was left out. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Minutes left out are noted as a gap, with its reason, when samples go on. */
  #minute(at: UnixMs): void {
    // The clock of the process that sampled before may be ahead of this one, and this one may have been set
    // back.
    const newest = Math.max(this.#othersTo, this.#takenAt);
    if (at <= newest && newest - at < CLOCKS_APART_MS) return;
    // The process was paused, or its clock set ahead.
    if (this.#due !== undefined && at > this.#due) this.#leaveOut(this.#due, 'not_running');
    this.#due = asMs(at + SAMPLE_STEP_MS);
    const reason = this.#whyNot(at);
    if (reason !== undefined) {
      this.#leaveOut(at, reason);
      return;
    }
    this.#noteGap(at);
    this.#takenAt = at;
    this.#working = this.sample(at);
  }

  /** The reason for which the sample of a minute is not taken; undefined = it is. */
  #whyNot(at: UnixMs): string | undefined {
    const { isShed, isOurs } = this.#options;
    if (isOurs?.() === false) return 'recorder_failover';
    return isShed?.() === true && at % SHED_STEP_MS !== 0 ? 'overload' : undefined;
  }

  #leaveOut(at: UnixMs, reason: string): void {
    if (reason === 'overload') this.#skipped++;
    if (this.#leftOut?.reason !== reason) this.#noteGap(at);
    this.#leftOut ??= { from: at, reason };
  }

  /** Notes what was left out before the minute `at`. */
  #noteGap(at: UnixMs): void {
    const { offer, clock } = this.#options;
    const gap = this.#leftOut;
    this.#leftOut = undefined;
    if (gap !== undefined && gap.from < at)
      offer(gapBatch({ venue: ALL_VENUES, ...gap, to: at, rows: 0 }, clock.now()));
  }

  /** Takes the sample of the minute `at`. */
  async sample(at: UnixMs): Promise<void> {
    const taken = await this.#take();
    this.#options.onTaken?.(at, new Set(taken.map(({ row }) => row.venue)));
    const hour = Math.floor(at / HOUR_MS);
    if (hour !== this.#encodedHour) this.#encoder.forget();
    this.#encodedHour = hour;
    const lines: string[] = [];
    for (const { row, book, recordedAt } of taken) {
      if (lines.length % ENCODING.rows === ENCODING.rows - 1) await this.#pause(ENCODING.pauseMs);
      const listedAt = this.#options.contractAt(row.venue, row.symbol, at)?.listedAt ?? at;
      lines.push(this.#encoder.line(sampleOf(row, at, listedAt, book), recordedAt));
    }
    const batch = { table: 'samples', columns: SAMPLE_COLUMNS, lines, from: at, to: at } as const;
    this.#options.offer({ ...batch, whenFull: 'gap' });
  }

  /** All fresh rows; a row is never changed in place. */
  async #take(): Promise<readonly Taken[]> {
    const { rows, book, clock } = this.#options;
    const taken: Taken[] = [];
    let read = 0;
    let recordedAt = clock.now();
    for (const row of rows()) {
      if (++read % TAKING.rows === 0) {
        await this.#pause(TAKING.pauseMs);
        recordedAt = clock.now();
      }
      if (row.fresh) taken.push({ row, book: book?.(row.venue, row.symbol), recordedAt });
    }
    return taken;
  }

  #pause(ms: number): Promise<unknown> {
    return sleep(this.#options.timer, ms, this.#stopping.signal);
  }
}

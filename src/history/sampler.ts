import { sleep, type Timer } from '../collect/timer.ts';
import type { Clock } from '../domain/clock.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { MarketRow } from '../market/view.ts';
import type { ContractAt } from './contract-at.ts';
import type { Sample, SampledDepth } from './sample.ts';
import { SAMPLE_COLUMNS, SampleEncoder } from './sample-rows.ts';
import type { Batch } from './write-queue.ts';

/** Time between samples of a row. */
export const SAMPLE_STEP_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Rows encoded before the event loop gets its turn, and how long that turn is: nine thousand rows take half a second. */
const ROWS_PER_TURN = 100;
const TURN_MS = 4;

export interface SamplerOptions {
  /** The live rows; never changed in place. */
  readonly rows: () => readonly MarketRow[];
  readonly contractAt: ContractAt;
  /** What the book of a row's contract holds, where books are followed. */
  readonly depth?: ((venue: VenueId, symbol: string) => SampledDepth | undefined) | undefined;
  readonly offer: (batch: Batch) => boolean;
  readonly clock: Clock;
  readonly timer: Timer;
}

/** A live row as a sample of the moment `at`. */
export function sampleOf(row: MarketRow, at: UnixMs, listedAt: UnixMs, depth?: SampledDepth): Sample {
  const { canonicalId, ticker, venue, symbol, comparable, fundingRate, fundingIntervalHours } = row;
  const { markPrice, indexPrice, openInterestRaw, openInterestBase, openInterestUsd } = row;
  const { volume24hBase, volume24hUsd, bestBid, bestAsk } = row;
  return {
    ...{ canonicalId, ticker, venue, symbol, listedAt, at, origin: 'sampled', comparable },
    ...{ fundingRate, fundingIntervalHours, markPrice, indexPrice },
    ...{ openInterestRaw, openInterestBase, openInterestUsd, volume24hBase, volume24hUsd },
    ...{ bestBid, bestAsk, depth },
  };
}

/**
 * Takes a sample of every fresh row at each full minute. A row that is not fresh states nothing new: leaving it out
 * is what makes an outage visible.
 */
export class Sampler {
  readonly #options: SamplerOptions;
  readonly #encoder = new SampleEncoder();
  readonly #stopping = new AbortController();
  #encodedHour = 0;
  #cancel: (() => void) | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, timer } = this.#options;
    const now = clock.now();
    const next = (Math.floor(now / SAMPLE_STEP_MS) + 1) * SAMPLE_STEP_MS;
    this.#cancel = timer(next - now, () => {
      // A timer may fire a moment early; the minute it was set for is the one that is sampled.
      const at = Math.max(next, Math.floor(clock.now() / SAMPLE_STEP_MS) * SAMPLE_STEP_MS);
      this.#working = this.sample(asMs(at));
      this.start();
    });
  }

  /** Resolves when the sample under way has been offered. */
  async stop(): Promise<void> {
    this.#cancel?.();
    this.#stopping.abort();
    await this.#working;
  }

  /** Takes the sample of the minute `at`. */
  async sample(at: UnixMs): Promise<void> {
    const { rows, contractAt, depth, offer, clock, timer } = this.#options;
    const fresh = rows().filter((row) => row.fresh);
    const recordedAt = clock.now();
    const hour = Math.floor(at / HOUR_MS);
    if (hour !== this.#encodedHour) this.#encoder.forget();
    this.#encodedHour = hour;
    const lines: string[] = [];
    for (const row of fresh) {
      if (lines.length % ROWS_PER_TURN === ROWS_PER_TURN - 1)
        await sleep(timer, TURN_MS, this.#stopping.signal);
      const { venue, symbol } = row;
      const listedAt = contractAt(venue, symbol, at)?.listedAt ?? at;
      const sample = sampleOf(row, at, listedAt, depth?.(venue, symbol));
      lines.push(this.#encoder.line(sample, recordedAt));
    }
    offer({ table: 'samples', columns: SAMPLE_COLUMNS, lines, from: at, to: at });
  }
}

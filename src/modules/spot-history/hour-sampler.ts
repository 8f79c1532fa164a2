import type { CollectLogger } from '../../collect/logger.ts';
import type { Clock } from '../../domain/clock.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import type { MarketView } from '../../market/view.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/duration.ts';
import { inParts } from '../../runtime/in-parts.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { sleep, type Timer } from '../../runtime/timer.ts';
import { midOf, priceOf } from '../spot-market/market/spot-price.ts';
import type { SpotRow, SpotView } from '../spot-market/market/spot-table.ts';
import type { ObservedHour } from './store/spot-hour.ts';
import type { KeptHours, SpotPast } from './store/spot-past.ts';

/** Times of the sampler, ms. */
export const SAMPLER_MS = {
  sample: MINUTE_MS,
  /** Samples are written this often: a crash loses so much of them. */
  write: 10 * MINUTE_MS,
} as const;

/** Values that are older are no sample. */
const FRESH_MS = MINUTE_MS;
/** Assets that are sampled in one turn of the event loop, and markets that are written in one. */
const A_TURN = 100;
/** Hours that a disk has not taken for so long are given up: memory is not their store. */
const GIVEN_UP_MS = 6 * HOUR_MS;

export interface SamplerOptions {
  readonly spot: Pick<SpotView, 'rowsOf'>;
  readonly market: Pick<MarketView, 'rows' | 'rowsOf' | 'identitiesOf'>;
  readonly past: SpotPast;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: CollectLogger;
}

/** The hour of one market as far as it was seen and is not written. */
interface SeenHour {
  readonly row: SpotRow;
  readonly canonicalId: string;
  readonly sum: number;
  readonly hour: ObservedHour;
}

/**
 * Looks at the spot table once a minute and keeps the hour of each market that stands at the price of its perpetuals then. A
 * market that does not, or whose values are older than a minute, has no sample: an hour without one is a gap.
 */
export class HourSampler {
  readonly #options: SamplerOptions;
  readonly #abort = new AbortController();
  readonly #seen = new Map<string, SeenHour>();
  #writeDue = 0;
  #loop: Promise<void> | undefined;
  #samples = 0;
  #failures = 0;

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  /** Samples that were taken, and writes that the disk did not take. */
  get counts(): { readonly samples: number; readonly failures: number } {
    return { samples: this.#samples, failures: this.#failures };
  }

  start(): void {
    this.#writeDue = this.#options.clock.now() + SAMPLER_MS.write;
    this.#loop = this.#run();
  }

  /** Ends the rounds and writes what was seen. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#loop;
    await this.write();
  }

  async #run(): Promise<void> {
    const { timer, clock } = this.#options;
    while (!this.#abort.signal.aborted) {
      await sleep(timer, SAMPLER_MS.sample, this.#abort.signal);
      if (this.#abort.signal.aborted) return;
      await this.sample();
      if (clock.now() < this.#writeDue) continue;
      this.#writeDue = clock.now() + SAMPLER_MS.write;
      await this.write();
    }
  }

  /** Takes a sample of each market. */
  async sample(): Promise<void> {
    const { market, clock } = this.#options;
    const now = clock.now();
    const coins = market
      .rows()
      .flatMap(({ canonicalId, assetClass }) => (assetClass === 'crypto' ? [canonicalId] : []));
    await inParts(this.#sampleParts([...new Set(coins)], now));
  }

  *#sampleParts(ids: readonly string[], now: UnixMs): Generator<undefined, void> {
    const { spot, market } = this.#options;
    for (const [i, canonicalId] of ids.entries()) {
      for (const row of spot.rowsOf(canonicalId, market)) this.#take(row, canonicalId, now);
      if (i % A_TURN === A_TURN - 1) yield undefined;
    }
  }

  #take(row: SpotRow, canonicalId: string, now: UnixMs): void {
    const price = priceOf(row.ticker);
    if (price === undefined || now - row.receivedAt > FRESH_MS) return;
    const start = asMs(Math.floor(now / HOUR_MS) * HOUR_MS);
    const key = [row.market.venue, row.market.symbol, start].join('\t');
    const before = this.#seen.get(key);
    const samples = (before?.hour.samples ?? 0) + 1;
    const sum = (before?.sum ?? 0) + price;
    const hour: ObservedHour = {
      origin: 'observed',
      start,
      lastAt: now,
      last: price,
      samples,
      mean: sum / samples,
      ...touchOf(row),
    };
    this.#seen.set(key, { row, canonicalId, sum, hour });
    this.#samples += 1;
  }

  /** Writes what was seen; what the disk does not take is tried again with the next, for some hours. */
  async write(): Promise<void> {
    const { past, clock, logger } = this.#options;
    const now = clock.now();
    try {
      await inParts(writeParts(past, this.#seen));
      past.dropOld(now);
    } catch (cause) {
      this.#failures += 1;
      for (const [key, { hour }] of this.#seen) if (now - hour.start > GIVEN_UP_MS) this.#seen.delete(key);
      logger.warn({ reason: reasonOf(cause) }, 'hours of spot could not be written');
    }
  }
}

function* writeParts(past: SpotPast, seen: Map<string, SeenHour>): Generator<undefined, void> {
  const all = [...seen];
  for (let i = 0; i < all.length; i += A_TURN) {
    const part = all.slice(i, i + A_TURN);
    past.addSeen(part.map(([, held]) => keptOf(held)));
    for (const [key] of part) seen.delete(key);
    yield undefined;
  }
}

const keptOf = ({ row: { market }, canonicalId, hour }: SeenHour): KeptHours<ObservedHour> => ({
  market,
  canonicalId,
  hours: [hour],
});

/** Spread and sizes of a touch, where the venue states both sides. */
function touchOf({ ticker }: SpotRow): Pick<ObservedHour, 'spreadBps' | 'bidUsd' | 'askUsd'> {
  const { bestBid, bestBidSize, bestAsk, bestAskSize } = ticker;
  const mid = midOf(ticker);
  if (bestBid === undefined || bestAsk === undefined || mid === undefined)
    return { spreadBps: undefined, bidUsd: undefined, askUsd: undefined };
  return {
    spreadBps: ((bestAsk - bestBid) / mid) * 10_000,
    bidUsd: bestBidSize === undefined ? undefined : bestBid * bestBidSize,
    askUsd: bestAskSize === undefined ? undefined : bestAsk * bestAskSize,
  };
}

import type { CollectLogger } from '../../../collect/logger.ts';
import type { Clock } from '../../../domain/clock.ts';
import { asMs, type UnixMs } from '../../../domain/units.ts';
import type { VenueId } from '../../../domain/venue.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../runtime/duration.ts';
import { reasonOf } from '../../../runtime/reason-of.ts';
import { sleep, type Timer } from '../../../runtime/timer.ts';
import type { SpotMarket } from '../../spot/spot-rows.ts';
import type { SpotSide } from '../../spot-market/port.ts';
import type { CandleHour } from '../store/spot-hour.ts';
import type { SpotPast } from '../store/spot-past.ts';
import type { CandlePlan } from './candle-plans.ts';

/** Times of the back-fill, ms. */
export const FILL_MS = {
  /** Before the first round: lists and prices come first, and the past of the perpetuals, which candles are held against. */
  first: 5 * MINUTE_MS,
  /** Between two rounds over all markets. */
  round: HOUR_MS,
  /** Before a round is begun again that was cut short. */
  again: MINUTE_MS,
  /** Between two calls of one venue. */
  call: 3 * SECOND_MS,
  /** After the end of an hour: what was seen of it is written by then. */
  late: 15 * MINUTE_MS,
} as const;

/** Rounds of one day in which an hour is asked for whose candle did not come, or stood at another price. */
const ROUNDS = 3;
/**
 * The distance from the mean price of the perpetuals in that hour at which a candle is another token's. It is wider than that of
 * a moment, since the last trade of an hour is held against a mean.
 */
const APART = 0.1;

/** A spot market that stands at the price of its perpetuals now. */
export interface OfferedMarket {
  readonly market: SpotMarket;
  readonly canonicalId: string;
}

export interface FillOptions {
  /** Asks and reads a call of a venue's spot side; undefined where nothing came. */
  readonly read: SpotSide['read'];
  readonly plans: readonly CandlePlan[];
  /** Markets of a venue whose past is asked for, the most traded assets first. */
  readonly offered: (venue: VenueId) => Promise<readonly OfferedMarket[]>;
  /** Prices of an asset's perpetuals by the start of the hour; hours without one are not asked for. Undefined: they cannot be read now. */
  readonly perpPrices: (
    canonicalId: string,
    from: UnixMs,
    to: UnixMs,
  ) => Promise<ReadonlyMap<number, number> | undefined>;
  readonly past: SpotPast;
  readonly days: number;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly logger: CollectLogger;
  /** True while the process is to do less: then nothing is asked. */
  readonly isHeld: () => boolean;
}

/** Counts of the back-fill. */
export interface FillCounts {
  readonly requests: number;
  readonly failures: number;
  /** Hours that were kept, and candles that stood at another price than the perpetuals. */
  readonly kept: number;
  readonly leftOut: number;
}

/**
 * Asks venues for candles of the hours that this service has not seen, of the markets that are offered now. The candle of an hour is
 * kept where the perpetuals of the asset stood at its price in that hour. A missing hour is asked for again in some rounds of each
 * day, since the past of the perpetuals comes bit by bit, too.
 */
export class CandleFill {
  readonly #options: FillOptions;
  readonly #abort = new AbortController();
  /** Rounds of a day in which each market was asked for. */
  readonly #rounds = new Map<string, { readonly day: number; readonly count: number }>();
  readonly #counts = { requests: 0, failures: 0, kept: 0, leftOut: 0 };
  #loops: readonly Promise<void>[] = [];

  constructor(options: FillOptions) {
    this.#options = options;
  }

  get counts(): FillCounts {
    return this.#counts;
  }

  start(): void {
    this.#loops = this.#options.plans.map((plan) => this.#run(plan));
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#loops);
  }

  async #run(plan: CandlePlan): Promise<void> {
    const { timer, logger } = this.#options;
    await sleep(timer, FILL_MS.first, this.#abort.signal);
    while (!this.#abort.signal.aborted) {
      let isWhole = true;
      try {
        isWhole = await this.round(plan);
      } catch (cause) {
        logger.warn({ reason: reasonOf(cause), venue: plan.venue }, 'candles of spot could not be kept');
      }
      await sleep(timer, isWhole ? FILL_MS.round : FILL_MS.again, this.#abort.signal);
    }
  }

  /**
   * Asks for what is missing of each market of a venue.
   *
   * @returns false where it was cut short, since the process is to do less, or the past of the perpetuals cannot be read
   */
  async round(plan: CandlePlan): Promise<boolean> {
    const { offered, clock } = this.#options;
    const day = Math.floor(clock.now() / DAY_MS);
    for (const market of await offered(plan.venue)) {
      const key = `${plan.venue}\t${market.market.symbol}`;
      const before = this.#rounds.get(key);
      const count = before?.day === day ? before.count : 0;
      if (this.#isCut()) return false;
      if (count >= ROUNDS) continue;
      this.#rounds.set(key, { day, count: count + 1 });
      const isFilled = await this.#fill(plan, market);
      if (isFilled !== false) this.#rounds.set(key, { day, count: isFilled === undefined ? count : ROUNDS });
      if (isFilled === undefined) return false;
    }
    return true;
  }

  #isCut(): boolean {
    return this.#abort.signal.aborted || this.#options.isHeld();
  }

  /** @returns true where every hour is known now; undefined where it was cut short */
  async #fill(plan: CandlePlan, { market, canonicalId }: OfferedMarket): Promise<boolean | undefined> {
    const { past, clock, days, perpPrices, timer } = this.#options;
    const to = Math.floor((clock.now() - FILL_MS.late) / HOUR_MS) * HOUR_MS;
    const from = to - days * DAY_MS;
    const missing = this.#missing(canonicalId, market, from, to);
    if (missing.length === 0) return true;
    const prices = await perpPrices(canonicalId, asMs(from), asMs(to));
    if (prices === undefined) return undefined;
    const asked = new Set(missing.filter((start) => prices.has(start)));
    // Reading prices is work of the history's, which is paced as calls are.
    if (asked.size === 0) await sleep(timer, FILL_MS.call, this.#abort.signal);
    for (const span of spansOf([...asked], plan.candles)) {
      if (this.#isCut()) return undefined;
      const candles = await this.#ask(plan, market, span);
      const held = candles.filter(({ start }) => asked.has(start));
      const fitting = held.filter((hour) => isNear(hour, prices.get(hour.start)));
      this.#counts.leftOut += held.length - fitting.length;
      this.#counts.kept += fitting.length;
      past.addCandles([{ market, canonicalId, hours: fitting }]);
      await sleep(timer, FILL_MS.call, this.#abort.signal);
    }
    return this.#missing(canonicalId, market, from, to).length === 0;
  }

  #missing(canonicalId: string, { venue, symbol }: SpotMarket, from: number, to: number): readonly number[] {
    const known = this.#options.past
      .pastOf(venue, canonicalId, asMs(from), asMs(to))
      .find((market) => market.symbol === symbol)?.hours;
    const hours = Array.from({ length: (to - from) / HOUR_MS }, (_, i) => from + i * HOUR_MS);
    return hours.filter((start) => known?.has(start) !== true);
  }

  async #ask(plan: CandlePlan, market: SpotMarket, [from, to]: Span): Promise<readonly CandleHour[]> {
    this.#counts.requests += 1;
    const read = await this.#options.read(plan.venue, plan.of(market.symbol, from, to), this.#abort.signal);
    if (read === undefined) this.#counts.failures += 1;
    return (read?.candles ?? []).flatMap(({ symbol, start, open, close }): CandleHour[] =>
      symbol === market.symbol && start >= from && start < to
        ? [{ origin: 'candle', start, open, last: close }]
        : [],
    );
  }
}

type Span = readonly [from: number, to: number];

/** Spans of at most so many hours that hold all missing ones, the newest first. */
export function spansOf(missing: readonly number[], most: number): readonly Span[] {
  const spans: Span[] = [];
  let end: number | undefined;
  let start = 0;
  for (const hour of missing.toReversed()) {
    if (end !== undefined && end - hour <= most * HOUR_MS) start = hour;
    else {
      if (end !== undefined) spans.push([start, end]);
      end = hour + HOUR_MS;
      start = hour;
    }
  }
  return end === undefined ? spans : [...spans, [start, end]];
}

const isNear = ({ last, open }: CandleHour, price: number | undefined): boolean =>
  price !== undefined && [last, open].every((traded) => Math.abs(traded / price - 1) <= APART);

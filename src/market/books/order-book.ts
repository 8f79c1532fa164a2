import type { BookCondition } from '../../collect/ports.ts';
import { DEPTH_WINDOW_BPS, type DepthFigures } from '../../domain/depth-quote.ts';
import type { BookFrame, LevelList } from '../../venues/book-frame.ts';
import { emptyFigures, measureDepth } from './measure-depth.ts';
import { PriceLevels } from './price-levels.ts';
import { Uncrossing } from './uncross.ts';

/** Factors that convert a venue's numbers of a contract into ticker units. */
export interface BookScale {
  /** Ticker units in one unit of the base as named; prices are divided by it. */
  readonly price: number;
  /** Ticker units in one unit of a size. */
  readonly size: number;
}

export interface OrderBookOptions {
  readonly scale: BookScale;
  /** Crossed levels are hidden by the venue's rule; else a crossed book waits. */
  readonly uncrosses?: boolean;
  /** Levels a side at which the far ones are given up; default 2048. */
  readonly mostLevels?: number;
}

const MAX_LEVELS = 2048;
/** Of a side that is cut: levels this far from the best stay, within these bounds of their number. */
const KEPT_RANGE = 0.03;
const MIN_KEPT_SHARE = 0.25;
const MAX_KEPT_SHARE = 0.75;
/** The window of depth as a fraction of the price. */
const WINDOW = DEPTH_WINDOW_BPS / 10_000;
/** A side that covers less than this part of what it covered at the start has run out. */
const MIN_COVERED_SHARE = 0.5;

/** The distance to which a side is complete. Levels behind that may be missing. */
interface Reach {
  /** Key down to which nothing is missing; -Infinity where the whole side is here. */
  key: number;
  /** Distance from the best key to `key` when it was set. */
  cover: number;
  /** Key below which levels are not taken: they were given up. */
  floor: number;
}

const complete = (): Reach => ({ key: Number.NEGATIVE_INFINITY, cover: 0, floor: Number.NEGATIVE_INFINITY });

function hasRunOut(side: PriceLevels, reach: Reach): boolean {
  if (reach.key === Number.NEGATIVE_INFINITY) return false;
  const best = side.bestKey;
  return best - reach.key < MIN_COVERED_SHARE * Math.min(reach.cover, Math.abs(best) * WINDOW);
}

/** The levels of one contract's book and what they cost to trade against. Prices per ticker unit. */
export class OrderBook {
  readonly bids = new PriceLevels(1);
  readonly asks = new PriceLevels(-1);
  readonly scale: BookScale;
  readonly #mostLevels: number;
  readonly #uncrossing: Uncrossing | undefined;
  readonly #bidReach = complete();
  readonly #askReach = complete();
  readonly #figures = emptyFigures();
  readonly #needed = { bid: 0, ask: 0 };
  #isMeasured = false;

  constructor({ scale, uncrosses = false, mostLevels = MAX_LEVELS }: OrderBookOptions) {
    this.scale = scale;
    this.#mostLevels = mostLevels;
    this.#uncrossing = uncrosses ? new Uncrossing(this.bids, this.asks) : undefined;
  }

  /** True if there is a level on both sides and the best bid is below the best ask. */
  get isQuotable(): boolean {
    return this.bids.count > 0 && this.asks.count > 0 && !this.isCrossed;
  }

  /** A touch without a spread is crossed too. */
  get isCrossed(): boolean {
    return this.bids.bestKey >= -this.asks.bestKey;
  }

  get isEmpty(): boolean {
    return this.bids.count === 0 && this.asks.count === 0;
  }

  /** Bytes held for levels. */
  get bytes(): number {
    return this.bids.bytes + this.asks.bytes;
  }

  /**
   * Takes over a snapshot.
   *
   * @param limit levels a side that the message has at most; a side that is as long may go on behind them
   */
  replace(frame: BookFrame, limit = Number.POSITIVE_INFINITY): BookCondition {
    this.#uncrossing?.begin(true);
    this.#load(this.bids, frame.bids, frame.scaled, this.#bidReach, limit);
    this.#load(this.asks, frame.asks, frame.scaled, this.#askReach, limit);
    this.#settle();
    this.#acceptShallow();
    return this.#condition();
  }

  /** Applies changes: absolute sizes by price, 0 removes. */
  apply(frame: BookFrame): BookCondition {
    this.#uncrossing?.begin(false);
    if (frame.bids.count > 0) this.#change(this.bids, frame.bids, frame.scaled, this.#bidReach);
    if (frame.asks.count > 0) this.#change(this.asks, frame.asks, frame.scaled, this.#askReach);
    this.#settle();
    return this.#condition();
  }

  clear(): void {
    this.bids.clear();
    this.asks.clear();
    this.#uncrossing?.begin(true);
    this.#isMeasured = false;
  }

  /**
   * Spread and slippage of the book; undefined where it has no two sides, is crossed, or does not reach as far
   * as the figures need. The record is the book's own and changes with it.
   */
  figures(): DepthFigures | undefined {
    if (!this.isQuotable) return undefined;
    this.#measure();
    return this.#isShort() ? undefined : this.#figures;
  }

  #measure(): void {
    if (this.#isMeasured) return;
    measureDepth(this.bids, this.asks, this.#figures, this.#needed);
    this.#isMeasured = true;
  }

  #isShort(): boolean {
    return this.#needed.bid < this.#bidReach.key || this.#needed.ask < this.#askReach.key;
  }

  #settle(): void {
    this.#isMeasured = false;
    if (this.bids.count > this.#mostLevels) this.#cut(this.bids, this.#bidReach);
    if (this.asks.count > this.#mostLevels) this.#cut(this.asks, this.#askReach);
    this.#uncrossing?.settle();
  }

  #condition(): BookCondition {
    if (this.isCrossed) return 'crossed';
    if (hasRunOut(this.bids, this.#bidReach) || hasRunOut(this.asks, this.#askReach)) return 'truncated';
    return 'good';
  }

  #load(side: PriceLevels, list: LevelList, scaled: boolean, reach: Reach, limit: number): void {
    if (scaled) side.load(list, 1, 1);
    else side.load(list, this.scale.price, this.scale.size);
    reach.floor = Number.NEGATIVE_INFINITY;
    reach.key = list.count >= limit ? side.worstKey : Number.NEGATIVE_INFINITY;
    reach.cover = side.bestKey - reach.key;
  }

  #change(side: PriceLevels, list: LevelList, scaled: boolean, reach: Reach): void {
    const { sign } = side;
    const { pairs } = list;
    const price = scaled ? 1 : this.scale.price;
    const size = scaled ? 1 : this.scale.size;
    const end = 2 * list.count;
    for (let i = 0; i < end; i += 2) {
      const key = (sign * (pairs[i] as number)) / price;
      if (key < reach.floor) continue;
      const amount = (pairs[i + 1] as number) * size;
      side.set(key, amount);
      this.#uncrossing?.note(side, key, amount);
    }
  }

  /** Gives up the far end of a side that has grown too long. */
  #cut(side: PriceLevels, reach: Reach): void {
    const best = side.bestKey;
    const near = side.countFrom(best - Math.abs(best) * KEPT_RANGE);
    const most = Math.floor(this.#mostLevels * MAX_KEPT_SHARE);
    const least = Math.floor(this.#mostLevels * MIN_KEPT_SHARE);
    side.cut(Math.min(most, Math.max(least, near)));
    reach.floor = side.worstKey;
    reach.key = Math.max(reach.key, reach.floor);
    reach.cover = best - reach.key;
  }

  /** The venue shows no more than this: where even a fresh book is short of the figures' needs, it counts as whole. */
  #acceptShallow(): void {
    if (!this.isQuotable) return;
    this.#measure();
    if (this.#needed.bid < this.#bidReach.key) this.#bidReach.key = Number.NEGATIVE_INFINITY;
    if (this.#needed.ask < this.#askReach.key) this.#askReach.key = Number.NEGATIVE_INFINITY;
  }
}

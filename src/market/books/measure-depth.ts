import {
  DEPTH_WINDOW_BPS,
  type DepthFigures,
  FILL_CAP_USD,
  QUOTE_SIZES_USD,
} from '../../domain/depth-quote.ts';
import type { PriceLevels } from './price-levels.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const [SMALL, MIDDLE, LARGE] = QUOTE_SIZES_USD;
const WINDOW = DEPTH_WINDOW_BPS / 10_000;

/** The result of a walk down one side; one object is used again and again. */
class SideDepth {
  depthUsd = 0;
  /** Volume-weighted prices of a fill; NaN where the side has less. */
  small = Number.NaN;
  middle = Number.NaN;
  large = Number.NaN;
  /** Key of the worst level that the largest quoted fill takes from; of the window's edge where it has less. */
  needsKey = 0;

  /**
   * Sums the levels within the window and the fills at the quoted sizes, from the best level on: about a nanosecond
   * a level, which is less than keeping sums current with every change costs.
   */
  walk(side: PriceLevels, mid: number): void {
    const { cells, sign } = side;
    const edge = mid * WINDOW;
    let target: number = SMALL;
    let value = 0;
    let base = 0;
    this.small = this.middle = this.large = Number.NaN;
    this.needsKey = sign * mid - edge;
    for (let at = 2 * side.count - 2; at >= 0; at -= 2) {
      const key = cells[at] as number;
      const price = sign * key;
      if (sign * mid - key > edge) break;
      const size = cells[at + 1] as number;
      const reached = value + price * size;
      while (reached >= target) {
        target = this.#filled(target, target / (base + (target - value) / price), key);
      }
      value = reached;
      base += size;
    }
    this.depthUsd = value;
  }

  /** Notes a fill's price. Returns the next size. */
  #filled(size: number, price: number, key: number): number {
    if (size === SMALL) {
      this.small = price;
      return MIDDLE;
    }
    if (size === MIDDLE) {
      this.middle = price;
      return LARGE;
    }
    this.large = price;
    this.needsKey = key;
    return Number.POSITIVE_INFINITY;
  }
}

const bidDepth = new SideDepth();
const askDepth = new SideDepth();

/** The worse slippage of both sides, bps; undefined where either has less than the size. */
function worse(bidPrice: number, askPrice: number, mid: number): number | undefined {
  const bid = (Math.abs(bidPrice - mid) / mid) * 10_000;
  const ask = (Math.abs(askPrice - mid) / mid) * 10_000;
  const slippage = Math.max(bid, ask);
  return Number.isNaN(slippage) ? undefined : slippage;
}

/** A record to measure into. */
export function emptyFigures(): Mutable<DepthFigures> {
  return {
    bestBid: 0,
    bestAsk: 0,
    spreadBps: 0,
    bidDepthUsd: 0,
    askDepthUsd: 0,
    maxFillableUsd: 0,
    slippage1kBps: undefined,
    slippage5kBps: undefined,
    slippage10kBps: undefined,
  };
}

/** Prices down to which each side must be complete for the figures to hold, as keys. */
export interface NeededKeys {
  bid: number;
  ask: number;
}

/**
 * Measures a book that has both sides and is not crossed. `DepthFigures` has the formulas.
 *
 * @param needed is given how far down the figures rest on the book
 */
export function measureDepth(
  bids: PriceLevels,
  asks: PriceLevels,
  into: Mutable<DepthFigures>,
  needed: NeededKeys,
): void {
  const bid = bids.bestKey;
  const ask = -asks.bestKey;
  const mid = (bid + ask) / 2;
  bidDepth.walk(bids, mid);
  askDepth.walk(asks, mid);
  into.bestBid = bid;
  into.bestAsk = ask;
  into.spreadBps = ((ask - bid) / mid) * 10_000;
  into.bidDepthUsd = bidDepth.depthUsd;
  into.askDepthUsd = askDepth.depthUsd;
  into.maxFillableUsd = Math.min(bidDepth.depthUsd, askDepth.depthUsd, FILL_CAP_USD);
  into.slippage1kBps = worse(bidDepth.small, askDepth.small, mid);
  into.slippage5kBps = worse(bidDepth.middle, askDepth.middle, mid);
  into.slippage10kBps = worse(bidDepth.large, askDepth.large, mid);
  needed.bid = bidDepth.needsKey;
  needed.ask = askDepth.needsKey;
}

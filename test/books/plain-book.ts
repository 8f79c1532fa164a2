import type { BookLevel } from '../../src/domain/book.ts';
import { type DepthFigures, FILL_CAP_USD } from '../../src/domain/depth-quote.ts';

/** A book's levels, best first. */
export interface PlainLevels {
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}

/** The plainest book there is: sizes by price. The fast book must equal it. */
export class PlainBook {
  readonly #bids = new Map<number, number>();
  readonly #asks = new Map<number, number>();

  replace({ bids, asks }: PlainLevels): void {
    this.#bids.clear();
    this.#asks.clear();
    this.apply({ bids, asks });
  }

  apply({ bids, asks }: PlainLevels): void {
    change(this.#bids, bids);
    change(this.#asks, asks);
  }

  levels(): PlainLevels {
    const ascending = (side: ReadonlyMap<number, number>) => [...side].sort(([a], [b]) => a - b);
    return { bids: ascending(this.#bids).reverse(), asks: ascending(this.#asks) };
  }

  quote(): DepthFigures | undefined {
    return plainQuote(this.levels());
  }
}

function change(side: Map<number, number>, levels: readonly BookLevel[]): void {
  for (const [price, size] of levels) {
    if (size === 0) side.delete(price);
    else side.set(price, size);
  }
}

/** The definition of a depth quote, computed the plain way. */
export function plainQuote({ bids, asks }: PlainLevels): DepthFigures | undefined {
  const bestBid = bids[0]?.[0];
  const bestAsk = asks[0]?.[0];
  if (bestBid === undefined || bestAsk === undefined || bestBid >= bestAsk) return undefined;
  const mid = (bestBid + bestAsk) / 2;
  const near = (levels: readonly BookLevel[]) =>
    levels.filter(([price]) => Math.abs(price - mid) <= mid * 0.01);
  const depth = (levels: readonly BookLevel[]) =>
    near(levels).reduce((sum, [price, size]) => sum + price * size, 0);
  const cap = Math.min(depth(bids), depth(asks), FILL_CAP_USD);
  const slippage = (usd: number): number | undefined => {
    if (usd > cap) return undefined;
    const sides = [near(bids), near(asks)].map((levels) => fillPrice(levels, usd));
    return Math.max(...sides.map((price) => (Math.abs(price - mid) / mid) * 10_000));
  };
  return {
    bestBid,
    bestAsk,
    spreadBps: ((bestAsk - bestBid) / mid) * 10_000,
    bidDepthUsd: depth(bids),
    askDepthUsd: depth(asks),
    maxFillableUsd: cap,
    slippage1kBps: slippage(1000),
    slippage5kBps: slippage(5000),
    slippage10kBps: slippage(10_000),
  };
}

/** Volume-weighted price of a fill of this notional. */
function fillPrice(levels: readonly BookLevel[], usd: number): number {
  let left = usd;
  let base = 0;
  for (const [price, size] of levels) {
    const taken = Math.min(left, price * size);
    base += taken / price;
    left -= taken;
    if (left <= 0) break;
  }
  return usd / base;
}

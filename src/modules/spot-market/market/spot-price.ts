import { asPrice, type Price } from '../../../domain/units.ts';
import type { SpotTicker } from '../../spot/spot-rows.ts';

/** Sides further apart than this are no market, and their middle is no price. */
const WIDEST = 0.05;

/** The middle of a touch of at most 5 %; undefined without both sides. */
export function midOf({ bestBid, bestAsk }: SpotTicker): Price | undefined {
  if (bestBid === undefined || bestAsk === undefined) return undefined;
  const mid = (bestBid + bestAsk) / 2;
  return (bestAsk - bestBid) / mid <= WIDEST ? asPrice(mid) : undefined;
}

/**
 * The price by which a market's asset is known: the middle of its touch; of venues whose bulk call has no sides the middle that
 * they state, else the last trade. A market with one side, or with sides far apart, has none.
 */
export function priceOf(ticker: SpotTicker): Price | undefined {
  const { bestBid, bestAsk, midPrice, lastPrice } = ticker;
  if (bestBid !== undefined || bestAsk !== undefined) return midOf(ticker);
  return midPrice ?? lastPrice;
}

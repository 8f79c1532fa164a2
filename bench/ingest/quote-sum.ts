import type { DepthFigures } from '../../src/domain/depth-quote.ts';

/** The part of one quote in the checksum: every figure counts, at a weight of its own. */
export function quoteSum(quote: DepthFigures): number {
  const { bestBid, bestAsk, bidDepthUsd, askDepthUsd, maxFillableUsd } = quote;
  const slippage =
    (quote.slippage1kBps ?? -1) + 2 * (quote.slippage5kBps ?? -1) + 3 * (quote.slippage10kBps ?? -1);
  return bestBid + 2 * bestAsk + 1e-6 * (bidDepthUsd + 2 * askDepthUsd) + 1e-3 * maxFillableUsd + slippage;
}

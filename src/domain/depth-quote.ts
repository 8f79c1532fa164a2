/** Sizes that are quoted, USD, ascending. */
export const QUOTE_SIZES_USD = [1000, 5000, 10_000] as const;

/** Depth counts levels at most this far from the mid, bps. */
export const DEPTH_WINDOW_BPS = 100;

/** No fill is quoted above this, USD. */
export const FILL_CAP_USD = 10_000;

/** The largest size that may be asked for by itself, USD. */
export const MOST_NOTIONAL_USD = 250_000;

/** A book comes from a stream or from REST. */
export type BookSource = 'stream' | 'rest';

/**
 * Spread and slippage of a book. mid = (best bid + best ask) / 2. Slippage at a size is |volume-weighted fill
 * price - mid| / mid x 10000 bps, the worse of both sides; undefined exactly when the size is above
 * `maxFillableUsd` = min(bid depth, ask depth, 10,000). Depth is the notional of the levels within 100 bps of
 * the mid.
 */
export interface DepthFigures {
  readonly bestBid: number;
  readonly bestAsk: number;
  /** (ask - bid) / mid x 10000. */
  readonly spreadBps: number;
  readonly bidDepthUsd: number;
  readonly askDepthUsd: number;
  readonly maxFillableUsd: number;
  readonly slippage1kBps: number | undefined;
  readonly slippage5kBps: number | undefined;
  readonly slippage10kBps: number | undefined;
}

import { iso } from '../domain/clock.ts';
import { APR_PCT_PER_BPS_8H, toBps } from '../domain/rate.ts';
import { asMs } from '../domain/units.ts';
import type { MarketRow } from '../market/view.ts';
import { fundingTime } from './product-answer.ts';
import { type RateLeg, rateLeg } from './rate-leg.ts';

/** The two ends of a spread. */
export interface Legs {
  readonly low: MarketRow;
  readonly high: MarketRow;
}

/**
 * The rows with the smallest and the largest value, two different ones. Rows without a value do not count; of equal
 * ones the first decides, so the order of rows makes the choice definite. Undefined with fewer than two.
 */
export function widestLegs(
  rows: readonly MarketRow[],
  measure: (row: MarketRow) => number | undefined,
): Legs | undefined {
  let low: MarketRow | undefined;
  let high: MarketRow | undefined;
  for (const row of rows) {
    const value = measure(row);
    if (value === undefined) continue;
    if (low === undefined || value < (measure(low) ?? 0)) low = row;
  }
  for (const row of rows) {
    const value = measure(row);
    if (value === undefined || row === low) continue;
    if (high === undefined || value > (measure(high) ?? 0)) high = row;
  }
  return low === undefined || high === undefined ? undefined : { low, high };
}

/** (rate_8h of the short leg - rate_8h of the long leg) x 10000; null when either interval is unknown. */
export function normalizedSpreadBps(short: MarketRow, long: MarketRow): number | null {
  if (short.rate8h === undefined || long.rate8h === undefined) return null;
  return toBps(short.rate8h - long.rate8h);
}

/** Eight-hour bps x 10.95 = percent a year. */
export function aprSpreadPct(spread8hBps: number | null): number | null {
  return spread8hBps === null ? null : spread8hBps * APR_PCT_PER_BPS_8H;
}

/** The pair of an asset with the largest difference of eight-hour rates, which need not be the one of raw rates. */
export interface NormalizedSpread {
  /** (rate_8h short - rate_8h long) x 10000. */
  readonly spread_8h_bps: number;
  readonly apr_spread_pct: number;
  readonly short: RateLeg;
  readonly long: RateLeg;
  readonly updated_at: string;
}

/** The widest pair by eight-hour rates; undefined with fewer than two rows whose interval is known. */
export const normalizedLegs = (rows: readonly MarketRow[]): Legs | undefined =>
  widestLegs(rows, (row) => row.rate8h);

export function normalizedSpread({ low, high }: Legs): NormalizedSpread {
  const bps = normalizedSpreadBps(high, low) ?? 0;
  return {
    spread_8h_bps: bps,
    apr_spread_pct: bps * APR_PCT_PER_BPS_8H,
    short: rateLeg(high),
    long: rateLeg(low),
    updated_at: iso(asMs(Math.min(fundingTime(low), fundingTime(high)))),
  };
}

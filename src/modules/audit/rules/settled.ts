import type { FundingPoint } from '../../../domain/quote.ts';
import { HOUR_MS } from '../../../runtime/duration.ts';

/** Of the rate that was shown: prices move within the last minute. */
const RELATIVE = 0.5;
/** Fraction per interval. */
const ABSOLUTE = 3e-4;
/** Points that are judged where they state no interval. */
const NEWEST = 3;

/** True if a settled rate is elsewhere than the one shown right before it. */
export function settledElsewhere(shown: number, paid: number): boolean {
  return Math.abs(paid - shown) > ABSOLUTE + RELATIVE * Math.abs(shown);
}

/**
 * The first settlement that is missing between others in a venue's own list of one contract; undefined where none is.
 *
 * @param all of one contract, by time
 * @param hours its interval, where the points state none
 */
export function missingSettlement(all: readonly FundingPoint[], hours: number): number | undefined {
  // Of points that state no interval the older ones may be of another one than the present.
  const points = all.every(({ intervalHours }) => intervalHours !== undefined) ? all : all.slice(-NEWEST);
  for (let i = 1; i < points.length; i++) {
    const before = points[i - 1];
    const after = points[i];
    if (before === undefined || after === undefined || before.observed || after.observed) continue;
    // The longer of both: an interval that was shortened leaves no gap.
    const step = Math.max(before.intervalHours ?? hours, after.intervalHours ?? hours) * HOUR_MS;
    if (after.time - before.time > 1.5 * step) return before.time + step;
  }
  return undefined;
}

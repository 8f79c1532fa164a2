import { DAY_MS } from '../../../runtime/duration.ts';

/** Days over which the usual gap is averaged. */
export const GAP_DAYS = [1, 7, 30] as const;

/** The gap between a perpetual and spot over some days before a moment, basis points of spot. */
export interface UsualGap {
  readonly days: number;
  /** Hours of which both prices are known. */
  readonly hours: number;
  /** Undefined where these are less than half of all. */
  readonly mean: number | undefined;
  readonly lowest: number | undefined;
  readonly highest: number | undefined;
}

/**
 * Mean and range of the hourly gaps of 1, 7 and 30 days before a moment. Each hour counts once; hours in which a price is not
 * known count in none, and a span of which less than half is known has no mean.
 *
 * @param gaps basis points by the start of the hour
 */
export function usualGaps(gaps: ReadonlyMap<number, number>, until: number): readonly UsualGap[] {
  return GAP_DAYS.map((days) => {
    const since = until - days * DAY_MS;
    const known = [...gaps].flatMap(([start, gap]) => (start >= since && start < until ? [gap] : []));
    const hours = known.length;
    if (hours * 2 < days * 24) return { days, hours, mean: undefined, lowest: undefined, highest: undefined };
    const mean = known.reduce((sum, gap) => sum + gap, 0) / hours;
    return { days, hours, mean, lowest: Math.min(...known), highest: Math.max(...known) };
  });
}

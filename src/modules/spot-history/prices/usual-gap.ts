import { DAY_MS } from '../../../runtime/duration.ts';
import type { SpotHour } from '../store/spot-hour.ts';
import { alignedPrices, arePrices, gapBps, type PerpHour } from './aligned-prices.ts';

/** Days over which the usual gap is averaged. */
export const GAP_DAYS = [1, 7, 30] as const;

/** The gap between a perpetual and spot over some days before a moment, basis points of spot. */
export interface UsualGap {
  readonly days: number;
  /** Hours of which both prices are known. */
  readonly hours: number;
  /** Hours of which both are stored and stand too far apart to be of one asset. */
  readonly apart: number;
  /** Undefined where the known hours are less than half of all. */
  readonly mean: number | undefined;
  readonly lowest: number | undefined;
  readonly highest: number | undefined;
}

/** Gaps of a pair, basis points by the start of the hour, and the starts of the hours that stand apart. */
interface HourGaps {
  readonly known: ReadonlyMap<number, number>;
  readonly apart: readonly number[];
}

/** The gap of each stored hour of a pair. */
export function hourGaps(spot: ReadonlyMap<number, SpotHour>, perp: ReadonlyMap<number, PerpHour>): HourGaps {
  const known = new Map<number, number>();
  const apart: number[] = [];
  for (const [start, hour] of spot) {
    const prices = alignedPrices(hour, perp.get(start));
    if (arePrices(prices)) known.set(start, gapBps(prices));
    else if (prices === 'price_differs') apart.push(start);
  }
  return { known, apart };
}

/**
 * Mean and range of the hourly gaps of 1, 7 and 30 days before a moment. Each hour counts once; hours in which a price is not
 * known, or stands apart, count in none, and a span of which less than half is known has no mean.
 */
export function usualGaps({ known, apart }: HourGaps, until: number): readonly UsualGap[] {
  return GAP_DAYS.map((days) => {
    const isWithin = (start: number): boolean => start >= until - days * DAY_MS && start < until;
    const gaps = [...known].flatMap(([start, gap]) => (isWithin(start) ? [gap] : []));
    const counts = { days, hours: gaps.length, apart: apart.filter(isWithin).length };
    if (gaps.length * 2 < days * 24)
      return { ...counts, mean: undefined, lowest: undefined, highest: undefined };
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    return { ...counts, mean, lowest: Math.min(...gaps), highest: Math.max(...gaps) };
  });
}

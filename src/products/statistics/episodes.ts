import type { HourlyRates } from './hourly-rates.ts';
import { roundingOf } from './statistics.ts';

/** A run of hours in which a spread was at least so wide. */
export interface Episode {
  /** Index of its first hour. */
  readonly start: number;
  readonly hours: number;
  /** True where it was seen to begin: not where the start of what is known, or an unknown hour, cuts it off. */
  readonly began: boolean;
  /** True if its end was seen; false where an unknown hour, or the present, cuts it off. */
  readonly ended: boolean;
}

/**
 * Runs of known hours at or above a threshold, by time. An unknown hour cuts a run off without its beginning or its end
 * being known.
 */
export function episodesAbove(rates: Float64Array, threshold: number): readonly Episode[] {
  const episodes: Episode[] = [];
  const least = threshold - roundingOf(threshold);
  let start: number | undefined;
  for (let hour = 0; hour <= rates.length; hour++) {
    const rate = rates[hour] ?? Number.NaN;
    if (rate >= least) {
      start ??= hour;
      continue;
    }
    if (start !== undefined) {
      const began = !Number.isNaN(rates[start - 1] ?? Number.NaN);
      episodes.push({ start, hours: hour - start, began, ended: !Number.isNaN(rate) });
    }
    start = undefined;
  }
  return episodes;
}

/**
 * The payments of a position opened when each episode had first been settled, and held so long: sums of hourly
 * rates, fractions of the notional. Positions of which an hour is not known, or still to come, are left out.
 */
export function heldFrom(
  spread: HourlyRates,
  episodes: readonly Episode[],
  hours: number,
): readonly number[] {
  const { rates, paidAt } = spread;
  return episodes.flatMap(({ start }) => {
    const entry = paidAt[start] ?? rates.length;
    if (entry + hours > rates.length) return [];
    let sum = 0;
    for (let hour = entry; hour < entry + hours; hour++) sum += rates[hour] ?? Number.NaN;
    return Number.isNaN(sum) ? [] : [sum];
  });
}

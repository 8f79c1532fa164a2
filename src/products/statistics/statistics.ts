import { HOUR_MS } from '../../runtime/duration.ts';
import type { HourlyRates } from './hourly-rates.ts';

/** Moments and quantiles of some values. */
export interface Description {
  readonly mean: number;
  /** Of an even count the mean of the two in the middle. */
  readonly median: number;
  /** Sample standard deviation; undefined of one value. */
  readonly deviation: number | undefined;
  /** Share of values above 0, between 0 and 1. */
  readonly positive: number;
}

/** The known ones of some values, in ascending order. */
export const sortedKnown = (values: Float64Array): Float64Array =>
  values.filter((value) => !Number.isNaN(value)).sort();

/**
 * The value below which a share of sorted values lies, by linear interpolation between neighbours.
 *
 * @param share between 0 and 1
 */
export function quantile(sorted: ArrayLike<number>, share: number): number | undefined {
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)];
  const high = sorted[Math.ceil(place)];
  if (low === undefined || high === undefined) return undefined;
  return low + (high - low) * (place - Math.floor(place));
}

/** @param sorted ascending, at least one */
export function describe(sorted: Float64Array): Description {
  const count = sorted.length;
  let sum = 0;
  let positive = 0;
  for (const value of sorted) {
    sum += value;
    if (value > 0) positive += 1;
  }
  const mean = sum / count;
  let squares = 0;
  for (const value of sorted) squares += (value - mean) ** 2;
  return {
    mean,
    median: quantile(sorted, 0.5) ?? mean,
    deviation: count > 1 ? Math.sqrt(squares / (count - 1)) : undefined,
    positive: positive / count,
  };
}

/**
 * The distance within which hourly rates are the same: rates computed in another order differ in their last
 * digits, and of rates that stand for weeks that would decide.
 */
export const roundingOf = (rate: number): number => Math.abs(rate) * 1e-9 + 1e-15;

/** Percent of sorted rates an hour that lie below a value, those equal to it counted half. */
export function percentileOf(sorted: Float64Array, value: number): number {
  const rounding = roundingOf(value);
  let below = 0;
  let equal = 0;
  for (const one of sorted) {
    if (one > value + rounding) break;
    if (one >= value - rounding) equal += 1;
    else below += 1;
  }
  return ((below + equal / 2) / sorted.length) * 100;
}

/** Pairs of neighbouring steps that a half-life is worked out of at least. */
const MIN_PAIRS = 20;

/**
 * Hours after which half of a deviation from the mean is gone, as a first-order autoregression of the means of whole
 * steps has it: step x ln(1/2) / ln(phi). Undefined where deviations do not shrink (phi outside 0 and 1) or fewer than
 * twenty neighbouring steps are known.
 *
 * @param step hours between two settlements, counted from midnight UTC: within them rates do not move
 */
export function halfLifeHours({ from, rates }: HourlyRates, step: number): number | undefined {
  const steps: number[] = [];
  const first = (step - ((from / HOUR_MS) % step)) % step;
  for (let start = first; start + step <= rates.length; start += step) {
    let sum = 0;
    for (let hour = start; hour < start + step; hour++) sum += rates[hour] ?? Number.NaN;
    steps.push(sum / step);
  }
  const known = steps.filter((value) => !Number.isNaN(value));
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  let pairs = 0;
  let product = 0;
  let square = 0;
  for (let at = 1; at < steps.length; at++) {
    const before = (steps[at - 1] ?? Number.NaN) - mean;
    const after = (steps[at] ?? Number.NaN) - mean;
    if (Number.isNaN(before + after)) continue;
    pairs += 1;
    product += before * after;
    square += before * before;
  }
  const phi = product / square;
  if (pairs < MIN_PAIRS || !(phi > 0 && phi < 1)) return undefined;
  return (step * Math.log(0.5)) / Math.log(phi);
}

import type { SeriesBucket } from '../../domain/series.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import { hourValue, type Kind } from './kinds.ts';

/** Columns of the library's answer, times in seconds. */
export interface Bars {
  readonly t: readonly number[];
  readonly o?: readonly number[];
  readonly h?: readonly number[];
  readonly l?: readonly number[];
  readonly c: readonly number[];
}

/** The known hourly means of one bar, by time. */
export interface Bar {
  readonly start: number;
  readonly values: number[];
}

/**
 * Bars of hourly means: a candle opens with the first of them, closes with the last, and reaches from the least to the greatest; a
 * line has their mean. A bar of which no hour is known is left out.
 *
 * @param hours of one contract, by time
 */
export function barsOf(kind: Kind, hours: readonly SeriesBucket[], stepMs: number): readonly Bar[] {
  const bars: Bar[] = [];
  for (const hour of hours) {
    const value = hourValue(kind, hour);
    if (value === undefined) continue;
    const start = Math.floor(hour.start / stepMs) * stepMs;
    const last = bars.at(-1);
    if (last?.start === start) last.values.push(value);
    else bars.push({ start, values: [value] });
  }
  return bars;
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Bars as columns. A line has no open, high and low: the library takes those that are left out as the close. */
export function columnsOf({ isCandles }: Kind, bars: readonly Bar[]): Bars {
  const t = bars.map(({ start }) => start / SECOND_MS);
  if (!isCandles) return { t, c: bars.map(({ values }) => meanOf(values)) };
  return {
    t,
    o: bars.map(({ values }) => values[0] ?? 0),
    h: bars.map(({ values }) => Math.max(...values)),
    l: bars.map(({ values }) => Math.min(...values)),
    c: bars.map(({ values }) => values.at(-1) ?? 0),
  };
}

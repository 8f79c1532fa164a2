import Type, { type Static } from 'typebox';
import type { FundingPayment } from '../../domain/series.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { HOUR_MS, HOURS_A_DAY } from '../../runtime/duration.ts';
import { type NullReason, nullReasons, withReasons } from '../answer/null-reason.ts';
import { integer, nullable, number } from '../answer/schema.ts';
import { type HourlyRates, lastHours } from './hourly-rates.ts';
import { describe, percentileOf, sortedKnown } from './statistics.ts';

/** From a fraction per hour to basis points per eight hours. */
export const BPS_8H = 8 * 10_000;
/** Windows that are described, days. */
const WINDOW_DAYS = [7, 30, 90] as const;
/** Share of its hours that payments have to cover, so that a window is described. */
export const MIN_COVERAGE = 0.9;

const historyWindowSchema = Type.Object({
  days: integer('Length of the window, days before now', 1),
  coverage_pct: number('Hours of the window that settled payments cover, percent'),
  percentile: nullable(
    number('Percent of the hours in which the settled value was below the present one, equal ones half'),
  ),
  mean_8h_bps: nullable(number('Mean over the hours, basis points per eight hours')),
  median_8h_bps: nullable(number('Median over the hours')),
  deviation_8h_bps: nullable(number('Standard deviation over the hours')),
  positive_pct: nullable(number('Percent of the hours with a value above 0')),
  ...nullReasons,
});

export const historyWindowsSchema = Type.Array(historyWindowSchema, {
  description: 'The last 7, 30 and 90 days',
});

/** The longest window that ends in the present hour. */
export function longestWindow(now: UnixMs): { readonly from: UnixMs; readonly to: UnixMs } {
  const to = asMs(Math.ceil(now / HOUR_MS) * HOUR_MS);
  return { from: asMs(to - Math.max(...WINDOW_DAYS) * HOURS_A_DAY * HOUR_MS), to };
}

/**
 * Settled rates or spreads over the last days, against a present value.
 *
 * @param past over `longestWindow`
 * @param present basis points per eight hours; undefined = unknown
 * @param why the reason of a present value that is unknown
 */
export const historyWindows = (past: HourlyRates, present: number | undefined, why: NullReason) =>
  WINDOW_DAYS.map((days): Static<typeof historyWindowSchema> => {
    const hours = days * HOURS_A_DAY;
    const { rates, known } = lastHours(past, hours);
    const covers = known >= MIN_COVERAGE * hours;
    const sorted = sortedKnown(rates);
    const described = covers ? describe(sorted) : undefined;
    const bps = (perHour: number | undefined): number | null =>
      perHour === undefined ? null : perHour * BPS_8H;
    const window: Static<typeof historyWindowSchema> = {
      days,
      coverage_pct: (known / hours) * 100,
      percentile: covers && present !== undefined ? percentileOf(sorted, present / BPS_8H) : null,
      mean_8h_bps: bps(described?.mean),
      median_8h_bps: bps(described?.median),
      deviation_8h_bps: bps(described?.deviation),
      positive_pct: described === undefined ? null : described.positive * 100,
    };
    const short = 'past_too_short';
    return withReasons(window, {
      percentile: covers ? why : short,
      mean_8h_bps: short,
      median_8h_bps: short,
      deviation_8h_bps: short,
      positive_pct: short,
    });
  });

/** The hours that most payments are for; undefined where none says. */
export function usualHours(payments: readonly FundingPayment[]): number | undefined {
  const counts = new Map<number, number>();
  for (const { hours } of payments) {
    const whole = hours === undefined ? undefined : Math.max(1, Math.round(hours));
    if (whole !== undefined) counts.set(whole, (counts.get(whole) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0];
}

import type { FundingPayment } from '../../domain/series.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';

/** The settled funding of one contract, hour by hour. */
export interface HourlyRates {
  readonly from: UnixMs;
  /** Fraction per hour; NaN where no payment covers the hour. */
  readonly rates: Float64Array;
  /** Index of the hour at whose start the payment of an hour had been made: from then on its rate was known. */
  readonly paidAt: Int32Array;
  /** Hours that are covered. */
  readonly known: number;
}

/**
 * Spreads payments evenly over the hours that they are for: a payment at 16:00 for eight hours is an eighth of its rate
 * in each hour from 08:00. Several payments within an hour add up.
 *
 * @param payments of one contract, by time
 * @param from,to whole hours
 */
export function hourlyRates(payments: readonly FundingPayment[], from: UnixMs, to: UnixMs): HourlyRates {
  const length = (to - from) / HOUR_MS;
  const rates = new Float64Array(length).fill(Number.NaN);
  const paidAt = new Int32Array(length).fill(-1);
  let known = 0;
  for (const { at, rate, hours } of payments) {
    if (hours === undefined) continue;
    const span = Math.max(1, Math.round(hours));
    const end = Math.round((at - from) / HOUR_MS);
    for (let hour = Math.max(0, end - span); hour < Math.min(end, length); hour++) {
      const before = rates[hour] ?? Number.NaN;
      if (Number.isNaN(before)) known += 1;
      rates[hour] = (Number.isNaN(before) ? 0 : before) + rate / span;
      paidAt[hour] = end;
    }
  }
  return { from, rates, paidAt, known };
}

/** The same of a short and a long leg: what being short the one and long the other is paid. Both of one span. */
export function hourlySpread(short: HourlyRates, long: HourlyRates): HourlyRates {
  const { from, rates: received } = short;
  let known = 0;
  const rates = received.map((rate, hour) => {
    const spread = rate - (long.rates[hour] ?? Number.NaN);
    if (!Number.isNaN(spread)) known += 1;
    return spread;
  });
  const paidAt = short.paidAt.map((at, hour) => Math.max(at, long.paidAt[hour] ?? -1));
  return { from, rates, paidAt, known };
}

/** The last hours of a span. */
export function lastHours({ from, rates, paidAt }: HourlyRates, hours: number): HourlyRates {
  const start = Math.max(0, rates.length - hours);
  const kept = rates.subarray(start);
  let known = 0;
  for (const rate of kept) if (!Number.isNaN(rate)) known += 1;
  return {
    from: asMs(from + start * HOUR_MS),
    rates: kept,
    // Indices count from the start of what is kept.
    paidAt: paidAt.subarray(start).map((at) => at - start),
    known,
  };
}

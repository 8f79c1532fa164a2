import { asBps, asRate8h, type Bps, type Hours, type Rate8h, type RatePerInterval } from './units.ts';

/** Rate scaled to eight hours: rate x 8 / interval. Undefined when the interval is unknown, never defaulted. */
export function rate8h(rate: RatePerInterval | undefined, interval: Hours | undefined): Rate8h | undefined {
  if (rate === undefined || interval === undefined || !(interval > 0)) return undefined;
  return asRate8h((rate * 8) / interval);
}

/** Annualised carry in percent: rate x (24 / interval hours) x 365 x 100. Undefined when the interval is unknown. */
export function annualisedPct(
  rate: RatePerInterval | undefined,
  interval: Hours | undefined,
): number | undefined {
  if (rate === undefined || interval === undefined || !(interval > 0)) return undefined;
  return rate * (24 / interval) * 365 * 100;
}

/** A fraction in basis points. */
export function toBps(fraction: number): Bps {
  return asBps(fraction * 10_000);
}

/** Basis in bps: (mark - index) / index x 10000. Undefined without both prices. */
export function basisBps(mark: number | undefined, index: number | undefined): Bps | undefined {
  if (mark === undefined || index === undefined || !(index > 0)) return undefined;
  return asBps(((mark - index) / index) * 10_000);
}

/** Eight-hour basis points to percent a year: 3 periods a day x 365 / 100. */
export const APR_PCT_PER_BPS_8H = 10.95;

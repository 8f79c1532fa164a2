import type { FundingPayment, RateAt } from '../../domain/series.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';

/** Minutes before a settlement at which the shown rate is looked at. */
export const MINUTES_BEFORE = [60, 10, 1] as const;

/** Intervals that differ by less are the same: payments are made some seconds late. */
const SAME_HOURS = 0.05;

/** The rate that was shown some minutes before a settlement. */
export interface Shown {
  readonly minutesBefore: number;
  readonly at: UnixMs;
  /** Fraction per interval; undefined where none was sampled at that minute. */
  readonly rate: number | undefined;
  /** Shown less paid, fraction of the interval; undefined where they cannot be compared. */
  readonly error: number | undefined;
  /** The shown rate was for another interval than the one that was paid. */
  readonly isOfOther: boolean;
}

/** A payment beside the rates that were shown before it. */
export interface ForecastPayment {
  readonly payment: FundingPayment;
  readonly shown: readonly Shown[];
}

/** Errors of the rates shown so many minutes before settlements. */
export interface ForecastErrors {
  readonly minutesBefore: number;
  readonly compared: number;
  /** Means over the compared ones, fractions of an interval; undefined without one. */
  readonly mean: number | undefined;
  readonly meanAbsolute: number | undefined;
  /** The same per eight hours; undefined where the hours of a compared payment are not known, too. */
  readonly mean8h: number | undefined;
  readonly meanAbsolute8h: number | undefined;
}

/** The full minute at which the service sampled what was shown so long before a settlement. */
export const minuteBefore = (at: UnixMs, minutes: number): UnixMs =>
  asMs(Math.floor((at - minutes * MINUTE_MS) / MINUTE_MS) * MINUTE_MS);

/** All minutes of which rates are needed for some payments, ascending. */
export function minutesOf(payments: readonly FundingPayment[]): readonly UnixMs[] {
  const minutes = payments.flatMap(({ at }) => MINUTES_BEFORE.map((before) => minuteBefore(at, before)));
  return [...new Set(minutes)].sort((a, b) => a - b);
}

const keyOf = (symbol: string, at: UnixMs): string => `${at} ${symbol}`;

/**
 * Puts the rates that were shown before payments beside them.
 *
 * @param payments of one contract
 * @param rates of the same venue, at `minutesOf` these payments
 */
export function besideShown(
  payments: readonly FundingPayment[],
  rates: readonly RateAt[],
): readonly ForecastPayment[] {
  const byMinute = new Map(rates.map((rate) => [keyOf(rate.symbol, rate.at), rate]));
  return payments.map((payment) => ({
    payment,
    shown: MINUTES_BEFORE.map((minutesBefore) => {
      const at = minuteBefore(payment.at, minutesBefore);
      const found = byMinute.get(keyOf(payment.symbol, at));
      // A rate of an earlier listing of the symbol is another contract's.
      const isOwn = found !== undefined && found.listedAt === payment.listedAt;
      return shownBefore(payment, minutesBefore, at, isOwn ? found : undefined);
    }),
  }));
}

function shownBefore(
  { rate: paid, hours }: FundingPayment,
  minutesBefore: number,
  at: UnixMs,
  found: RateAt | undefined,
): Shown {
  const { rate, intervalHours } = found ?? {};
  const areKnown = hours !== undefined && intervalHours !== undefined;
  const isOfOther = areKnown && Math.abs(hours - intervalHours) > SAME_HOURS;
  const error = rate === undefined || isOfOther ? undefined : rate - paid;
  return { minutesBefore, at, rate, error, isOfOther };
}

const meanOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Bias and error of what was shown, by the time before the settlement. */
export function errorsOf(paid: readonly ForecastPayment[]): readonly ForecastErrors[] {
  return MINUTES_BEFORE.map((minutesBefore) => {
    const compared = paid.flatMap(({ payment: { hours }, shown }) => {
      const error = shown.find((before) => before.minutesBefore === minutesBefore)?.error;
      return error === undefined ? [] : [{ error, hours }];
    });
    const errors = compared.map(({ error }) => error);
    const per8h = compared.flatMap(({ error, hours = 0 }) => (hours > 0 ? [(error * 8) / hours] : []));
    const all8h = per8h.length === compared.length ? per8h : [];
    return {
      minutesBefore,
      compared: compared.length,
      mean: meanOf(errors),
      meanAbsolute: meanOf(errors.map(Math.abs)),
      mean8h: meanOf(all8h),
      meanAbsolute8h: meanOf(all8h.map(Math.abs)),
    };
  });
}

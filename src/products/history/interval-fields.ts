import type { SettledBucket } from '../../domain/series.ts';
import { integer, nullable, number, oneOf } from '../answer/schema.ts';

/** Reasons for which the interval of a bucket, and with it the rate per eight hours, is null. */
const INTERVAL_REASONS = {
  interval_changed: 'it changed within the bucket',
  interval_unknown: 'it was not stated, and nothing stored tells it',
  no_rate: 'no rate of the bucket is known',
} as const;
type IntervalReason = keyof typeof INTERVAL_REASONS;

const WORDS = Object.keys(INTERVAL_REASONS) as readonly IntervalReason[];

/** The fields that make the rates of buckets comparable, beside their interval. */
export const intervalFields = {
  rate_8h: nullable(
    number(
      'The mean rate as a fraction per eight hours: times 8 over funding_interval_hours; null without it',
    ),
  ),
  interval_reason: nullable(
    oneOf(WORDS, {
      description: `Why funding_interval_hours and rate_8h are null: ${WORDS.map((word) => `${word}: ${INTERVAL_REASONS[word]}`).join('; ')}`,
    }),
  ),
};

const SUM =
  'Sum of the payments made in the bucket, as fractions of the notional, also where the mean is of rates as shown; null where none is stored';

/** The funding that was paid in a bucket, whatever its mean rate is of. */
export const paidFields = {
  settled_sum: nullable(number(SUM)),
  settled_payments: integer('Payments made in the bucket that are stored: with none settled_sum is null'),
};

/** A mean rate of a bucket with the interval that it is for. */
export interface IntervalRate {
  /** Fraction per interval; undefined where none is known. */
  readonly rate: number | undefined;
  readonly intervalHours?: number | undefined;
  readonly intervalChanged?: boolean | undefined;
}

/** A mean of rates of different intervals is of none: it has no rate per eight hours. */
export function intervalValues({ rate, intervalHours: hours, intervalChanged }: IntervalRate) {
  if (rate !== undefined && hours !== undefined && hours > 0) {
    const none: IntervalReason | null = null;
    return { funding_interval_hours: hours, rate_8h: (rate * 8) / hours, interval_reason: none };
  }
  const given = intervalChanged === true ? 'interval_changed' : 'interval_unknown';
  const reason: IntervalReason = rate === undefined ? 'no_rate' : given;
  return { funding_interval_hours: null, rate_8h: null, interval_reason: reason };
}

export const paidValues = (paid: Pick<SettledBucket, 'rateSum' | 'payments'> | undefined) => ({
  settled_sum: paid?.rateSum ?? null,
  settled_payments: paid?.payments ?? 0,
});

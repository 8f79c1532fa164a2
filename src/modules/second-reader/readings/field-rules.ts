import { MINUTE_MS } from '../../../runtime/duration.ts';

/** Fields that two ways to a contract are compared by, as answers name them. */
export const COMPARED_FIELDS = [
  'funding_rate',
  'funding_interval_hours',
  'next_funding_time',
  'mark_price',
  'index_price',
  'open_interest',
  'volume_24h',
] as const;
export type ComparedField = (typeof COMPARED_FIELDS)[number];

/** The allowed distance of two values of one field. */
export interface FieldRule {
  /**
   * `relative`: difference over the larger amount; `rate`: fraction per interval; `ms`: time; `exact`: none is allowed.
   */
  readonly measure: 'relative' | 'rate' | 'ms' | 'exact';
  /** The allowed difference of two values of the same moment, in the unit of the measure. */
  readonly base: number;
  /** Added to `base` for an hour between the values, by the root of the time, however small they are. */
  readonly hourlyDrift?: number;
  /** Least volatility of the value in an hour, as a part of it: what it moved of late may have been little by chance. */
  readonly hourlyVolatility: number;
  /** Age adds at most this, as a part of the value: a factor of two is never explained by age. */
  readonly most: number;
}

/** The table in docs/quality-checks.md. */
export const FIELD_RULES: Readonly<Record<ComparedField, FieldRule>> = {
  funding_rate: { measure: 'rate', base: 1e-6, hourlyDrift: 4e-5, hourlyVolatility: 0.2, most: 0.3 },
  funding_interval_hours: { measure: 'exact', base: 0, hourlyVolatility: 0, most: 0 },
  next_funding_time: { measure: 'ms', base: MINUTE_MS, hourlyVolatility: 0, most: 0 },
  mark_price: { measure: 'relative', base: 0.002, hourlyVolatility: 0.005, most: 0.25 },
  index_price: { measure: 'relative', base: 0.002, hourlyVolatility: 0.005, most: 0.25 },
  open_interest: { measure: 'relative', base: 0.02, hourlyVolatility: 0.02, most: 0.4 },
  volume_24h: { measure: 'relative', base: 0.1, hourlyVolatility: 0.1, most: 0.35 },
};

import Type, { type Static } from 'typebox';
import type { MarketRow } from '../../market/view.ts';
import { nullReasons, withReasons } from '../answer/null-reason.ts';
import { nullable, number, venueName } from '../answer/schema.ts';
import { contractFields, contractName } from '../rows/contract-name.ts';
import { markTime, markTimeField, rateTime, rateTimeField } from '../rows/value-times.ts';
import { boundFields, fundingBounds, intervalHours, NO_BOUNDS } from './funding-row.ts';

/** One end of a spread of rates: the contract, and what it pays. */
export const rateLegSchema = Type.Object({
  venue: venueName,
  ...contractFields,
  rate: nullable(number('Fraction per interval of the venue')),
  funding_interval_hours: intervalHours,
  ...boundFields,
  rate_8h: nullable(number('Rate scaled to eight hours; null when the interval is unknown')),
  mark_price: nullable(number('Quote currency per unit of the base asset')),
  ...rateTimeField,
  ...markTimeField,
  ...nullReasons,
});
type RateLeg = Static<typeof rateLegSchema>;

export function rateLeg(row: MarketRow): RateLeg {
  const leg: RateLeg = {
    venue: row.venue,
    ...contractName(row),
    rate: row.fundingRate ?? null,
    funding_interval_hours: row.fundingIntervalHours ?? null,
    ...fundingBounds(row),
    rate_8h: row.rate8h ?? null,
    mark_price: row.markPrice ?? null,
    ...rateTime(row),
    ...markTime(row),
  };
  return withReasons(leg, {
    ...NO_BOUNDS,
    funding_interval_hours: 'interval_unknown',
    rate_8h: row.fundingRate === undefined ? 'unknown' : 'interval_unknown',
  });
}

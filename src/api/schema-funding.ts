import Type from 'typebox';
import {
  assetClass,
  canonicalIdName,
  contractFields,
  integer,
  interestTimeField,
  markTimeField,
  nullable,
  nullReasons,
  number,
  oneOf,
  rateTimeField,
  tickerName,
  timestamp,
  venueName,
} from './schema.ts';

/** Hours between settlements. */
export const intervalHours = nullable(
  integer('Hours between settlements; null where the venue does not say', 1),
);

export const structure = oneOf(['contango', 'backwardation', 'flat'], {
  description: 'Sign of the figure: positive, negative, or exactly zero',
});

/** One end of a spread of rates. */
export const rateLegSchema = Type.Object({
  venue: venueName,
  ...contractFields,
  rate: nullable(number('Fraction per interval of the venue')),
  funding_interval_hours: intervalHours,
  rate_8h: nullable(number('Rate scaled to eight hours; null when the interval is unknown')),
  mark_price: nullable(number('Quote currency per unit of the base asset')),
  ...rateTimeField,
  ...markTimeField,
  ...nullReasons,
});

/** The best pair by eight-hour rates. */
export const normalizedSpread = nullable(
  Type.Object(
    {
      spread_8h_bps: number('(rate_8h short - rate_8h long) x 10000'),
      apr_spread_pct: number('The same in percent a year'),
      short: rateLegSchema,
      long: rateLegSchema,
      updated_at: timestamp('Time of the older leg'),
    },
    {
      description:
        'The pair that differs most with both rates scaled to eight hours, often another one than by raw rates: short the higher, long the lower; null with fewer than two known intervals',
    },
  ),
);

/** A row of the funding list. */
export const fundingRowSchema = Type.Object({
  source_id: integer('Number of the venue', 1),
  venue: venueName,
  symbol: tickerName,
  rate: nullable(number('Funding rate, fraction per interval of the venue; positive: longs pay shorts')),
  updated_at: timestamp('Time of the rate'),
  funding_interval_hours: intervalHours,
  rate_8h: nullable(number('Rate scaled to eight hours; null when the interval is unknown')),
  canonical_id: canonicalIdName,
  asset_class: assetClass,
  mark_price: nullable(number('Quote currency per unit of the base asset')),
  volume_24h: nullable(number('Traded in 24 hours, USD')),
  open_interest: nullable(number('Open interest, USD, each contract counted once')),
  ...contractFields,
  index_price: nullable(number('Index price per unit of the base asset')),
  next_funding_time: nullable(timestamp('Next settlement as the venue states it')),
  annualized_pct: nullable(number('The rate over a year, percent; null when the interval is unknown')),
  ...rateTimeField,
  ...markTimeField,
  ...interestTimeField,
  uncomparable_reason: Type.Optional(
    oneOf(
      [
        'identity_uncertain',
        'price_dispersion',
        'multiplier_suspect',
        'placeholder',
        'dead_market',
        'stale',
        'no_mark_price',
      ],
      { description: 'Why the row is not compared with other venues; only on rows that are not' },
    ),
  ),
  ...nullReasons,
});

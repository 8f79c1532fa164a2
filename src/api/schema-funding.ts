import Type from 'typebox';
import {
  assetClass,
  canonicalIdName,
  contractFields,
  integer,
  interestTimeField,
  markTimeField,
  nullable,
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
  ...contractFields,
  funding_interval_hours: intervalHours,
  rate_8h: nullable(number('Rate scaled to eight hours; null when the interval is unknown')),
  mark_price: nullable(number('Quote currency per unit of the base asset')),
  ...rateTimeField,
  ...markTimeField,
});

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
});

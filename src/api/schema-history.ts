import Type from 'typebox';
import { AGGREGATIONS, ORIGINS } from '../analytics/history-window.ts';
import { boolean, contractFields, integer, oneOf, timestamp, venueName } from './schema.ts';

/** Building blocks of the historical routes. */

export const aggregationName = oneOf(AGGREGATIONS, { description: 'Width of a bucket' });

export const aggregationParameter = Type.Optional(
  oneOf(AGGREGATIONS, { description: 'Width of a bucket', default: '1h' }),
);

const date = (description: string) =>
  Type.String({ format: 'date-time', description, maxLength: 40, examples: ['2026-11-20T00:00:00Z'] });

export const fromParameter = (byDefault: string) =>
  Type.Optional(date(`Start of the window, ISO 8601, floored to the bucket; default ${byDefault}`));

export const toParameter = Type.Optional(
  date(
    'End of the window, ISO 8601, floored to the bucket and not included; one in the current bucket, or later, includes that bucket as far as it is known; default now',
  ),
);

export const requiredFrom = date('Start of the window, ISO 8601, floored to the bucket');
export const requiredTo = date(
  'End of the window, ISO 8601, floored to the bucket and not included; one in the current bucket, or later, includes that bucket as far as it is known',
);

export const asOfParameter = Type.Optional(
  date('Answer as it would have been at this moment: what was recorded later does not count'),
);

/** Hours from now back to what is asked for. */
export const hoursParameter = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 168, default: 24, description }));

export const hoursName = integer('Hours looked back', 1);

export const windowStart = timestamp('Start of the window');
export const windowEnd = timestamp('End of the window, not included');
export const bucketStart = timestamp('Start of the bucket');
export const bucketVenue = venueName;
export const bucketSymbol = contractFields.venue_symbol;
export const originName = oneOf(ORIGINS, {
  description:
    'sampled: seen by this service, one sample a minute; settled: paid; backfilled: at least one hour told by the venue afterwards, of a moment at which it was known',
});
export const partialBucket = boolean('The bucket goes on, or went on at the time of as_of');

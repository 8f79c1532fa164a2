import Type, { type Static } from 'typebox';
import { integer, nullable, number, text, timestamp } from '../../../products/answer/schema.ts';

const trend = Type.Object({
  name: text('Name of the series'),
  title: text('Its title'),
  unit: text('Its unit'),
  values: Type.Array(nullable(number('A value a point; null where it is not known'))),
});

/** `/operator/trends`: metrics over the last hours, from the memory of this process. */
export const trendsSchema = Type.Object({
  every_seconds: integer('Time between two points'),
  since: nullable(timestamp('Time of the first point; null before it')),
  times: Type.Array(integer('Time of a point, seconds since 1970')),
  trends: Type.Array(trend),
});

export type OperatorTrends = Static<typeof trendsSchema>;
export type Trend = Static<typeof trend>;

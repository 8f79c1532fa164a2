import Type, { type Static } from 'typebox';
import {
  boolean,
  integer,
  nullable,
  number,
  oneOf,
  text,
  timestamp,
} from '../../../products/answer/schema.ts';

const failingFeed = Type.Object({
  kind: oneOf(['poll', 'stream']),
  name: text('Name of the call or channel'),
  fault: text('What fails'),
});

export const venueTrouble = Type.Object({
  venue: text('Venue identifier'),
  status: oneOf(['live', 'stale', 'down']),
  since: timestamp('Since when it has this status'),
  paused: boolean('True while the operator wants it not to be collected'),
  last_update_at: nullable(timestamp('When data came last')),
  error_rate_5m: nullable(number('Failed share of the requests of five minutes; null without a request')),
  last_error: nullable(text('The last failure')),
  circuits: integer('Hosts that rest after failures'),
  failing: Type.Array(failingFeed),
  to_do: nullable(text('What to do; null where nothing fails')),
});

/** `/operator/venues`: what fails since when, and what to do about it. */
export const venuesSchema = Type.Object({
  allows_actions: boolean('True where the port lets its page act'),
  venues: Type.Array(venueTrouble),
});

export type OperatorVenues = Static<typeof venuesSchema>;
export type VenueTrouble = Static<typeof venueTrouble>;

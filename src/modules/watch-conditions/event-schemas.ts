import Type, { type Static } from 'typebox';
import { integer, nullable, number, oneOf, text, timestamp } from '../../products/answer/schema.ts';
import { FIRING_KINDS, type WatchedValues } from '../webhook/firing.ts';
import { conditionSchema } from './condition.ts';

export const valuesSchema = Type.Unsafe<WatchedValues>({
  type: 'object',
  additionalProperties: { type: ['number', 'string', 'boolean', 'null'] },
  description: 'Fields of the product that it rests on, as they were; null = unknown',
});

/** A firing in answers, events and webhooks. */
export const firingSchema = Type.Object({
  watch_id: text('Name of the watch'),
  sequence: integer('1, 2, 3 … of its watch, without gaps', 1),
  noted_at: timestamp('When it was noted'),
  what: oneOf(FIRING_KINDS, {
    description:
      'fired: the condition holds; cleared: it holds no more; unknown: no data for five minutes; known: data again; ended',
  }),
  reason: nullable(text('Why it is unknown, or has ended')),
  condition: conditionSchema,
  values: valuesSchema,
  rows_at: nullable(timestamp('Time of the oldest data in the values')),
  rule_version: integer('Version of the rules by which conditions are judged', 1),
});

export type FiringRow = Static<typeof firingSchema>;

/** Events of a watch by name, each with its data; `closing`: the service restarts, and the stream can be opened again in a moment. */
export const WATCH_EVENTS = {
  ...Object.fromEntries(FIRING_KINDS.map((what) => [what, firingSchema])),
  closing: Type.Object({}),
};

const span = Type.Object({
  from: timestamp('Its start'),
  to: timestamp('Its end, not included'),
  reason: text('Why nothing could be known'),
  spans: Type.Optional(integer('Spans that it stands for, with the known time between them', 2)),
});

/** The signed content of a watch's end: what was watched, in which span, and when nothing could be known. */
export const statementSchema = Type.Object({
  version: integer('Of this form', 1),
  issued_at: timestamp('When it was signed'),
  watch_id: text('Name of the watch'),
  condition: conditionSchema,
  condition_sha256: text('Of the canonical JSON (RFC 8785) of this condition, base64url'),
  webhook_sha256: nullable(
    text('Of the whole address of the receiver, base64url: its owner can show that it was theirs'),
  ),
  rule_version: integer('Version of the rules by which conditions are judged', 1),
  began_at: timestamp('Since when it was watched'),
  ended_at: timestamp('Until when'),
  end_reason: text('time: its time was over; all_firings: it has fired as often as was bought; removed'),
  fired: integer(
    'Firings that its condition caused: 0 states that it did not hold in the known part of the span',
  ),
  sequence: integer('Number of the last thing told, the end itself among them', 1),
  missing: Type.Array(span, { description: 'Spans in which the condition could not be known, in order' }),
  missing_seconds: number('Their length'),
});
export type WatchStatement = Static<typeof statementSchema>;

/** Messages to the receiver of a watch. */
export const WATCH_POSTS = {
  challenge: {
    parameter: 'webhook',
    summary: 'Challenge of a receiver',
    description:
      'The first message to a receiver, signed in Perpmeter-Signature: nothing else is sent before its answer',
    body: Type.Object({
      event: Type.Literal('challenge'),
      watch_id: text('Name of the watch'),
      challenge: text('A token'),
    }),
    reply: {
      description: 'The token, repeated',
      body: Type.Object({ challenge: text('The token that was sent') }),
    },
  },
  firing: {
    parameter: 'webhook',
    summary: 'Firing of a watch',
    description:
      'A firing, signed in Perpmeter-Signature; sent again for an hour, under its watch_id and sequence, until it is taken',
    body: firingSchema,
    reply: { description: 'Any 2xx takes it' },
  },
} as const;

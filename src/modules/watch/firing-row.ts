import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { asMs } from '../../domain/units.ts';
import { integer, nullable, oneOf, text, timestamp } from '../../products/answer/schema.ts';
import { type Condition, conditionSchema } from '../watch-conditions/condition.ts';
import { FIRING_KINDS, type Firing } from '../webhook/firing.ts';
import { shownCondition } from '../webhook/shown-address.ts';
import { isoOf, valuesSchema } from './state-now.ts';

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

/** A firing as it is shown to who reads by a token, and so has not the right to post to its receiver. */
export const shownFiring = (firing: Firing): Firing => ({
  ...firing,
  condition: shownCondition(firing.condition),
});

/** A firing as it is shown. */
export const firingRow = (firing: Firing): Static<typeof firingSchema> => ({
  watch_id: firing.watchId,
  sequence: firing.seq,
  noted_at: iso(asMs(firing.at)),
  what: firing.kind,
  reason: firing.reason ?? null,
  // A firing states the condition as it was kept, which is as this schema has it.
  condition: firing.condition as unknown as Condition,
  values: firing.values,
  rows_at: isoOf(firing.rowsAt),
  rule_version: firing.ruleVersion,
});

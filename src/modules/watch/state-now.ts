import Type, { type Static } from 'typebox';
import { iso } from '../../domain/clock.ts';
import { asMs } from '../../domain/units.ts';
import { nullable, text, timestamp } from '../../products/answer/schema.ts';
import type { Ports } from '../../products/define-product.ts';
import type { Condition } from '../watch-conditions/condition.ts';
import { valuesSchema } from '../watch-conditions/event-schemas.ts';
import { judge, type Observation } from './judge.ts';
import { ask, eventsOf, type Question } from './question.ts';

export const isoOf = (at: number | undefined): string | null => (at === undefined ? null : iso(asMs(at)));

/** A condition at a moment. */
export const stateSchema = Type.Object(
  {
    holds: nullable(Type.Boolean({ description: 'Whether it holds; null = cannot be known' })),
    values: valuesSchema,
    rows_at: nullable(timestamp('Time of the oldest data in the values')),
    reason: nullable(text('Why it cannot be known')),
  },
  { description: 'The condition now' },
);

const NO_EVENT: Observation = { value: 0, values: {}, rowsAt: undefined };
const NO_LIST: Observation = { value: null, values: {}, rowsAt: undefined, reason: 'no_list' };

const seenNow = (question: Question, ports: Ports): Observation | Promise<Observation> => {
  if (question.kind.mode !== 'event') return ask(question, ports);
  return eventsOf(question.condition, ports) === undefined ? NO_LIST : NO_EVENT;
};

/** A condition as it is now, by the rules that it is watched by. A change has nothing to be held against yet: it does not hold. */
export async function stateNow(
  condition: Condition,
  question: Question,
  ports: Ports,
): Promise<Static<typeof stateSchema>> {
  const seen = await seenNow(question, ports);
  const { judged } = judge(condition, seen, 'armed', undefined);
  return {
    holds: judged.state === 'unknown' ? null : judged.state === 'true',
    values: seen.values,
    rows_at: isoOf(seen.rowsAt),
    reason: judged.state === 'unknown' ? judged.reason : null,
  };
}

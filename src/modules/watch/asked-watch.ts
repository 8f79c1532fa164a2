import type { Services } from '../../api/route.ts';
import { type Failure, fail, ok, type Result } from '../../domain/errors.ts';
import type { BookName } from '../../products/define-product.ts';
import { type AskedCondition, type Condition, readCondition } from '../watch-conditions/condition.ts';
import { WATCHES, type Watches } from './port.ts';
import { booksOf, isPassing, planOf, type Question, questionOf } from './question.ts';

/** A condition that can be watched. */
export interface Understood {
  readonly condition: Condition;
  readonly question: Question;
  readonly watches: Watches;
  /** Books that it rests on. */
  readonly books: () => readonly BookName[];
}

const NOT_HELD: Failure = {
  code: 'not_ready',
  detail: 'This process holds no watches.',
  retryAfterSeconds: 5,
};

/** The watches of this process; 503 where it holds none. */
export function watchesOf({ readPort }: Pick<Services, 'readPort'>): Result<Watches> {
  const watches = readPort(WATCHES);
  return watches === undefined ? fail(NOT_HELD) : ok(watches);
}

/**
 * Reads a condition and finds its question. A refusal of its product is passed on, but for one that a later moment may mend:
 * then the condition begins as unknown.
 */
export function understand(asked: AskedCondition, services: Services): Result<Understood> {
  const watches = watchesOf(services);
  if (!watches.ok) return watches;
  const { market, routes } = services;
  const condition = readCondition(asked, market, (address) => watches.value.webhookFault(address));
  if (!condition.ok) return condition;
  const question = questionOf(condition.value, routes);
  if (!question.ok) return question;
  const plan = planOf(question.value, services);
  if (!plan.ok && !isPassing(plan.error)) return plan;
  return ok({
    condition: condition.value,
    question: question.value,
    watches: watches.value,
    books: () => booksOf(question.value, services),
  });
}

import type { Fact } from '../analytics/fact.ts';
import { iso } from '../domain/clock.ts';
import { type Failure, fail, type Result } from '../domain/errors.ts';
import type { Known } from '../history/queries/known-range.ts';
import type { Scope } from '../history/queries/scope.ts';
import type { StoreResult } from '../history/store.ts';
import { factsOf } from './answers/facts.ts';
import type { Facts, PastReader, Services } from './route.ts';

const RETRY_SECONDS = 5;

/** The reader of a service that keeps history. Routes that need it are not served without. */
export function readerOf({ past }: Services): PastReader {
  if (past === undefined) throw new Error('a historical route is served without a history');
  return past.reader;
}

/** What the store answered, or why it could not. A statement that it refuses is a fault of ours. */
export function fromStore<T>(result: StoreResult<T>): Result<T> {
  if (result.ok) return result;
  const { kind, message } = result.fault;
  if (kind === 'refused') throw new Error(`history refused a question: ${message}`);
  const failure: Failure = {
    code: 'not_ready',
    detail: 'The history cannot be read at the moment',
    retryAfterSeconds: RETRY_SECONDS,
  };
  return fail(failure);
}

/** 404 for a window without data, which names the range there is. */
export async function nothingKnown(
  reader: PastReader,
  { from, to, ...scope }: Scope,
  known: Known,
  what: string,
): Promise<Result<never>> {
  const found = fromStore(await reader.knownRange(scope, known));
  if (!found.ok) return found;
  const where = scope.venue === undefined ? scope.canonicalId : `${scope.canonicalId} on ${scope.venue}`;
  const window = `No ${what} of ${where} from ${iso(from)} to ${iso(to)}`;
  const range = found.value;
  const detail =
    range === undefined
      ? `${window}; none is known yet`
      : `${window}; known is ${iso(range.from)} to ${iso(range.to)}`;
  return fail({ code: 'no_data', detail });
}

export const pastFacts = (fact: Fact<unknown>): Result<Facts> => factsOf({ ok: true, value: fact });

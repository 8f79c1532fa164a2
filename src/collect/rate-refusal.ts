import { isWire } from '../domain/read.ts';
import type { Budget } from '../venues/adapter.ts';
import type { HttpOutcome } from './http-client.ts';
import { failed, type Outcome, TransportFailure } from './transport-failure.ts';

/** A venue's signs of a met rate limit, besides HTTP 429 and 418. */
export type LimitSigns = Pick<Budget, 'limitBody' | 'limitStatus'>;

/** An answer by which its venue says that a rate limit was met, as the refusal that it is; any other outcome as it is. */
export function refusedForRate(outcome: HttpOutcome, signs: LimitSigns): HttpOutcome {
  const refusal = outcome.result.ok
    ? refusedInBody(outcome.result.value, signs.limitBody)
    : refusedByStatus(outcome, outcome.result.failure, signs.limitStatus);
  return refusal === undefined ? outcome : { ...outcome, result: refusal };
}

function refusedInBody(payload: unknown, limitBody: LimitSigns['limitBody']): Outcome<never> | undefined {
  if (limitBody === undefined || !isWire(payload)) return undefined;
  const { field, codes } = limitBody;
  const code = String(payload[field]);
  return codes.includes(code) ? failed('rate_limited', `${field} ${code} in the answer`) : undefined;
}

function refusedByStatus(
  { errorBody = '' }: HttpOutcome,
  { reason, status }: TransportFailure,
  limitStatus: LimitSigns['limitStatus'],
): Outcome<never> | undefined {
  if (limitStatus === undefined || status !== limitStatus.status) return undefined;
  if (!errorBody.toLowerCase().includes(limitStatus.text ?? '')) return undefined;
  return { ok: false, failure: new TransportFailure('rate_limited', reason, status) };
}

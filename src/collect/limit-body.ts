import { isWire } from '../domain/read.ts';
import type { Budget } from '../venues/adapter.ts';
import type { HttpOutcome } from './http-client.ts';
import { failed } from './transport-failure.ts';

/**
 * An answer that came under HTTP 2xx and whose body says that a rate limit was met, as the refusal that it is; any other
 * outcome as it is.
 */
export function refusedInBody(outcome: HttpOutcome, limitBody: Budget['limitBody']): HttpOutcome {
  const { result } = outcome;
  if (limitBody === undefined || !result.ok || !isWire(result.value)) return outcome;
  const { field, codes } = limitBody;
  const code = String(result.value[field]);
  if (!codes.includes(code)) return outcome;
  return { ...outcome, result: failed('rate_limited', `${field} ${code} in the answer`) };
}

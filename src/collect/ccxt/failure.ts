import { type FailureKind, TransportFailure } from '../transport-failure.ts';

/** Error classes of ccxt (and of our fetch) and what they mean here; the first that fits. */
const KINDS: readonly (readonly [className: string, kind: FailureKind, status?: number])[] = [
  ['RequestTimeout', 'timeout'],
  ['RateLimitExceeded', 'rate_limited'],
  ['DDoSProtection', 'rate_limited'],
  ['ExchangeNotAvailable', 'status', 503],
  ['BadResponse', 'not_json'],
  ['NetworkError', 'reset'],
  ['RangeError', 'too_large'],
];

/** True if an error is of a class of this name, or of one below it. */
export function isErrorOf(error: unknown, className: string): boolean {
  let at: unknown = error;
  while (typeof at === 'object' && at !== null) {
    if (at.constructor.name === className) return true;
    at = Object.getPrototypeOf(at);
  }
  return false;
}

/**
 * Names what an error of ccxt means. Only its class and the HTTP status are kept: messages quote bodies and addresses.
 *
 * @param status of the last response of the call, where one came
 */
export function failureOf(error: unknown, status: number | undefined): TransportFailure {
  const name = error instanceof Error ? error.constructor.name : 'unknown error';
  const refused = status !== undefined && status >= 400;
  const reason = refused ? `${name} (HTTP ${status})` : name;
  // Exchanges' own error codes come before the status in ccxt, and hide that it was a refusal for the rate.
  if (status === 429 || status === 418) return new TransportFailure('rate_limited', reason, status);
  const known = KINDS.find(([className]) => isErrorOf(error, className));
  if (known === undefined) return new TransportFailure('status', reason, refused ? status : undefined);
  const [, kind, usual] = known;
  return new TransportFailure(kind, reason, refused ? status : usual);
}

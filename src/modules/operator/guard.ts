import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SECOND_MS } from '../../runtime/duration.ts';
import { TokenBucket } from '../../runtime/token-bucket.ts';

/** The reason for which a request of the operator's port is refused (RFC 9457). */
export interface Refusal {
  readonly status: 401 | 403 | 429;
  readonly title: string;
  readonly detail: string;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** The operator's port is this machine's alone. */
export const ADMIN_HOST = '127.0.0.1';

/** A shorter token can be guessed. */
export const MIN_TOKEN_LENGTH = 16;
/** Wrong tokens that are looked at in a row; one more a second. Beyond it none is compared, the right one neither. */
const WRONG_TOKENS = 10;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** True if a browser's request comes from a page of another origin; other programs state no origin. */
export function isCrossOrigin({ headers }: IncomingMessage): boolean {
  const { host = '', origin } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  // A proxy of the operator's may add TLS.
  return origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`;
}

/** A page of another site, opened in the operator's browser, must not read this port: neither by address nor by name. */
function isForeign(request: IncomingMessage): boolean {
  return !LOOPBACK.test(request.headers.host ?? '') || isCrossOrigin(request);
}

const FOREIGN: Refusal = {
  status: 403,
  title: 'Foreign page',
  detail: 'Only pages of this port may ask it, under a name of this machine itself.',
};
const NO_TOKEN: Refusal = {
  status: 401,
  title: 'Token required',
  detail: 'This port wants the operator\'s token (ADMIN_TOKEN) as "Authorization: Bearer …".',
};
const TOO_MANY: Refusal = {
  status: 429,
  title: 'Too many wrong tokens',
  detail: 'Wrong tokens were presented in quick succession; ask again in a second.',
};

export type Guard = (request: IncomingMessage) => Refusal | undefined;

/**
 * Makes the check of the operator's port. With a token, requests that present it as a bearer pass; without one,
 * requests of this machine that no page of another site makes.
 *
 * @param token `ADMIN_TOKEN`
 * @param now monotonic time, ms
 */
export function operatorGuard(token: string | undefined, now: () => number = () => performance.now()): Guard {
  if (token === undefined) return (request) => (isForeign(request) ? FOREIGN : undefined);
  const expected = digest(`Bearer ${token}`);
  const wrong = new TokenBucket(WRONG_TOKENS, WRONG_TOKENS * SECOND_MS);
  return ({ headers: { authorization } }) => {
    if (authorization === undefined) return NO_TOKEN;
    if (wrong.fillLevel(now()) * WRONG_TOKENS < 1) return TOO_MANY;
    if (timingSafeEqual(digest(authorization), expected)) return undefined;
    wrong.take(1, now());
    return NO_TOKEN;
  };
}

/**
 * Makes the check of what programs of this machine read without the token, as Prometheus does: a page of another
 * site, which a name bound to loopback makes too, reads it with the token alone.
 */
export function metricsGuard(guard: Guard, hasToken: boolean): Guard {
  return (request) => {
    if (!isForeign(request)) return undefined;
    return hasToken && request.headers.authorization !== undefined ? guard(request) : FOREIGN;
  };
}

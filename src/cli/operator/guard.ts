import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Why a request of the operator's port is refused (RFC 9457). */
export interface Refusal {
  readonly status: 401 | 403;
  readonly title: string;
  readonly detail: string;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a browser says that a page of another origin asks; a program says nothing. */
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

/**
 * Makes the check of the operator's port: with a token, whoever presents it as a bearer; without one, whoever asks from
 * this machine and not through a page of another site.
 */
export function operatorGuard(token: string | undefined): (request: IncomingMessage) => Refusal | undefined {
  if (token === undefined) {
    const detail = 'Only pages of this port may ask it, under a name of this machine itself.';
    return (request) => (isForeign(request) ? { status: 403, title: 'Foreign page', detail } : undefined);
  }
  const expected = digest(`Bearer ${token}`);
  const detail = 'This port wants the operator\'s token (ADMIN_TOKEN) as "Authorization: Bearer …".';
  return ({ headers }) =>
    timingSafeEqual(digest(headers.authorization ?? ''), expected)
      ? undefined
      : { status: 401, title: 'Token required', detail };
}

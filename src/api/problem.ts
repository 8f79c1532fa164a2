import { ERRORS, type Failure } from '../domain/errors.ts';
import type { HttpReply } from '../pay/types.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** Seconds after which to come back where a failure names no time of its own. */
const RETRY_AFTER_SECONDS = 5;

/** The document of RFC 9457 of a failure. */
export function problemDocument(failure: Failure): Record<string, unknown> {
  const { status, title } = ERRORS[failure.code];
  return {
    type: `/errors/${failure.code}`,
    title,
    status,
    detail: failure.detail,
    code: failure.code,
    ...(failure.errors !== undefined && { errors: failure.errors }),
    ...(failure.instead !== undefined && { instead: failure.instead }),
    ...(failure.candidates !== undefined && { candidates: failure.candidates }),
    ...failure.paid,
  };
}

/** A failure as a complete reply; 429 and 503 always carry Retry-After. */
export function renderProblem(failure: Failure): HttpReply {
  const { status } = ERRORS[failure.code];
  const wait =
    failure.retryAfterSeconds ?? (status === 429 || status === 503 ? RETRY_AFTER_SECONDS : undefined);
  return {
    status,
    headers: {
      'Content-Type': PROBLEM_TYPE,
      ...(wait !== undefined && { 'Retry-After': String(Math.max(1, Math.ceil(wait))) }),
    },
    body: Buffer.from(JSON.stringify(problemDocument(failure))),
  };
}

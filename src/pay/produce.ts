import type { Result } from '../domain/errors.ts';
import { withTimeout } from '../runtime/timer.ts';
import type { HttpReply, Work } from './types.ts';

const PRODUCE_MS = 10_000;

const LATE: Result<HttpReply> = {
  ok: false,
  error: {
    code: 'not_ready',
    detail: 'The answer took too long: nothing was charged.',
    retryAfterSeconds: 5,
  },
};

/** The sold answer, or the reason for which it cannot be made in time. */
export function produce(work: Work): Result<HttpReply> | Promise<Result<HttpReply>> {
  const making = work.produce();
  return making instanceof Promise ? withTimeout(making, PRODUCE_MS, () => LATE) : making;
}

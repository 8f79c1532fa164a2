/**
 * Longest that something is waited for which is asked for again by itself: what takes a call and never answers it would
 * keep the page showing its last answer as if it were of now.
 */
export const POLL_LIMIT_MS = 30_000;

/** Does something that heeds a signal, which comes after `ms` (undefined: never) or with `stop`. */
export async function within<Result>(
  ms: number | undefined,
  stop: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const timer = ms === undefined ? undefined : setTimeout(() => late.abort(), ms);
  try {
    return await work(stop === undefined ? late.signal : AbortSignal.any([stop, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}

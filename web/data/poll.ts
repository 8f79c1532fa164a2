import { serverNow } from '../text/time.ts';
import { type Answer, mayPass, troubleOf } from './answer.ts';

/** A read that is made again and again. */
export interface Polling {
  /** Reads at once, unless the service has asked for patience. */
  look(): void;
  stop(): void;
}

const FIRST_RETRY_MS = 5000;
const LAST_RETRY_MS = 60_000;

/** The time to the next try by itself, ms; undefined = there is none. @param failures in a row, this one among them */
function waitAfter(answer: Answer<unknown>, everyMs: number, failures: number): number | undefined {
  if (mayPass(answer)) {
    const usual = everyMs > 0 ? everyMs : Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1));
    return Math.max(usual, askedFor(answer));
  }
  if (everyMs === 0 || answer.state === 'unpaid' || answer.state === 'locked') return undefined;
  return answer.state === 'ready' && answer.bought ? undefined : Math.max(everyMs, askedFor(answer));
}

/** The time that the service asked for, ms; 0 = none. */
function askedFor(answer: Answer<unknown>): number {
  const trouble = troubleOf(answer);
  return trouble?.state === 'failed' ? (trouble.retryAfterMs ?? 0) : 0;
}

/**
 * Reads now, again every so often while the page is looked at, and at once when it comes back. A failure that may
 * pass is followed by another try, not before the time that the service has named (Retry-After).
 * @param everyMs 0 = once
 */
export function poll<Body>(
  read: (signal: AbortSignal) => Promise<Answer<Body>>,
  everyMs: number,
  take: (next: Answer<Body>) => void,
): Polling {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let begun = 0;
  let ended = 0;
  let failures = 0;
  /** Ms since 1970, by this machine's clock. */
  let notBefore = 0;
  const round = async (): Promise<void> => {
    clearTimeout(timer);
    begun += 1;
    const own = begun;
    const next = await read(stop.signal);
    // A try that hung ends after one that began later, and says nothing of now.
    if (stop.signal.aborted || own < ended) return;
    ended = own;
    failures = mayPass(next) ? failures + 1 : 0;
    const waitMs = waitAfter(next, everyMs, failures);
    notBefore = Date.now() + askedFor(next);
    take(waitMs !== undefined && mayPass(next) ? { ...next, retryAt: serverNow() + waitMs } : next);
    clearTimeout(timer);
    if (waitMs !== undefined) timer = setTimeout(look, waitMs);
  };
  const look = (): void => {
    if (document.visibilityState === 'visible' && Date.now() >= notBefore) void round();
  };
  void round();
  addEventListener('online', look);
  document.addEventListener('visibilitychange', look);
  return {
    look,
    stop: () => {
      stop.abort();
      clearTimeout(timer);
      removeEventListener('online', look);
      document.removeEventListener('visibilitychange', look);
    },
  };
}

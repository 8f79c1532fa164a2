/** Runs `run` once after `ms`; the returned function cancels it. A dependency, so that tests can own time. */
export type Timer = (ms: number, run: () => void) => () => void;

/** Longest delay that the runtime's timers take. */
const LONGEST_MS = 2_147_483_647;

export const systemTimer: Timer = (ms, run) => {
  const handle = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST_MS));
  return () => clearTimeout(handle);
};

/** Resolves after `ms`, or at once when the signal aborts. Never rejects; look at the signal afterwards. */
export function sleep(timer: Timer, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = timer(ms, finish);
    signal.addEventListener('abort', finish, { once: true });
  });
}

import { existsSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/** Milliseconds. */
export interface LoopState {
  /** Longest time that the event loop was late. */
  readonly late: number;
  /** Longest time that this thread worked between two looks; undefined where the system does not tell. */
  readonly worked: number | undefined;
}

const LOOK_MS = 1;
/** Linux: nanoseconds that this thread has run, and that it has waited for a processor. */
const RUN_TIMES = '/proc/thread-self/schedstat';

const workedNs = (): number => Number(readFileSync(RUN_TIMES, 'utf8').split(' ')[0]);

/** Watches how late the event loop is, and how much of that is its own work: other processes take processors, too. */
export function watchLoop() {
  const hasRunTimes = existsSync(RUN_TIMES);
  let late = 0;
  let worked = 0;
  let at = performance.now();
  let ran = hasRunTimes ? workedNs() : 0;
  const timer = setInterval(() => {
    const now = performance.now();
    late = Math.max(late, now - at - LOOK_MS);
    at = now;
    if (!hasRunTimes) return;
    const run = workedNs();
    worked = Math.max(worked, (run - ran) / 1e6);
    ran = run;
  }, LOOK_MS);
  return {
    stop(): LoopState {
      clearInterval(timer);
      return { late, worked: hasRunTimes ? worked : undefined };
    },
  };
}

import type { Clock } from '../domain/clock.ts';
import { sleep, type Timer } from '../runtime/timer.ts';

export interface LaneOptions {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly signal: AbortSignal;
  /** At most so many at a time. */
  readonly lanes: number;
  /** Spread the starts evenly over this time; 0 = as soon as a lane is free. */
  readonly overMs: number;
}

/**
 * Runs `task` for every item, a few at a time, evenly over a period where one is given. Ends early on abort.
 * A task that throws ends its lane only; its error comes when all lanes have ended, so that nothing runs on.
 */
export async function runInLanes<T>(
  items: readonly T[],
  task: (item: T) => Promise<void>,
  options: LaneOptions,
): Promise<void> {
  const { clock, timer, signal, lanes, overMs } = options;
  const startedAt = clock.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    for (;;) {
      const index = next++;
      const item = items[index];
      if (item === undefined || signal.aborted) return;
      const wait = startedAt + (overMs * index) / items.length - clock.now();
      if (wait > 0) await sleep(timer, wait, signal);
      if (signal.aborted) return;
      await task(item);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(lanes, items.length) }, lane));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

import { monotonicFrom } from './monotonic.ts';
import { sleep, type Timer } from './timer.ts';

export interface ConcurrencyOptions {
  /** Unix ms. */
  readonly clock: { now(): number };
  readonly timer: Timer;
  readonly signal: AbortSignal;
  /** Most tasks at a time. */
  readonly concurrency: number;
  /** Spread the starts evenly over this time, ms; 0 = as soon as a slot is free. */
  readonly spreadMs: number;
}

/**
 * Runs `task` for every item, a few at a time, evenly over a period where one is given. Ends early on abort.
 * A task that throws ends its worker only; its error is thrown when all workers have ended, so that nothing runs on.
 */
export async function forEachConcurrent<T>(
  items: readonly T[],
  task: (item: T) => Promise<void>,
  options: ConcurrencyOptions,
): Promise<void> {
  const { clock, timer, signal, concurrency, spreadMs } = options;
  const elapsed = monotonicFrom(clock);
  const startedAt = elapsed();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (;;) {
      const index = next++;
      const item = items[index];
      if (item === undefined || signal.aborted) return;
      const wait = startedAt + (spreadMs * index) / items.length - elapsed();
      if (wait > 0) await sleep(timer, wait, signal);
      if (signal.aborted) return;
      await task(item);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

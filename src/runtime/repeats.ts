import type { Timer } from './timer.ts';

/**
 * Repeating timers over an injected timer; can begin again after `stop`. A timer that must not keep the
 * process running is an unref'd `setInterval`.
 */
export class Repeats {
  readonly #timer: Timer;
  #cancels: (() => void)[] = [];

  constructor(timer: Timer) {
    this.#timer = timer;
  }

  every(ms: number, run: () => void): void {
    const cancels = this.#cancels;
    const at = cancels.length;
    const next = (): void => {
      cancels[at] = this.#timer(ms, () => {
        run();
        if (cancels === this.#cancels) next();
      });
    };
    next();
  }

  stop(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels = [];
  }
}

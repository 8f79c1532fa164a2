import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 20;
const LOOK_MS = 1000;
const NS_PER_MS = 1e6;

/** Measures how late timers of this process are. */
export class TimerLag {
  readonly #delays: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

  /** @param looked called once a second with the mean lateness of a timer of 20 ms since the call before, ms */
  start(looked: (lagMs: number) => void): void {
    this.#delays.enable();
    setInterval(() => {
      const { count, mean } = this.#delays;
      this.#delays.reset();
      // Without a single turn of its timer the loop was held up for all of the second.
      looked(count === 0 ? LOOK_MS : Math.max(0, mean / NS_PER_MS - RESOLUTION_MS));
    }, LOOK_MS).unref();
  }
}

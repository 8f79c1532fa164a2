import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 20;
/** A late turn is told for at least so long, and at most for twice as long. */
const WINDOW_MS = 10_000;
const NS_PER_S = 1e9;

/**
 * How late the event loop is: the longest that a timer of 20 ms came too late. What is received, answered and settled
 * waits as long, so a lag tells a slow machine from slow venues.
 */
export class EventLoopLag {
  readonly #delays: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #timer: NodeJS.Timeout | undefined;
  #before = 0;

  start(): void {
    this.#delays.enable();
    this.#timer ??= setInterval(() => {
      this.#before = this.#longest();
      this.#delays.reset();
    }, WINDOW_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#delays.disable();
  }

  /** The longest delay of the last ten to twenty seconds, in seconds. */
  seconds(): number {
    return Math.max(this.#before, this.#longest());
  }

  /** Node.js records the whole time between two turns of its timer. */
  #longest(): number {
    const { count, max } = this.#delays;
    return count === 0 ? 0 : Math.max(0, max / NS_PER_S - RESOLUTION_MS / 1000);
  }
}

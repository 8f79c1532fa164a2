import {
  type EventLoopUtilization,
  type IntervalHistogram,
  monitorEventLoopDelay,
  performance,
} from 'node:perf_hooks';

const RESOLUTION_MS = 20;
/** Time between two looks. */
export const POLL_MS = 1000;
/** A late turn is reported for so many looks. */
const LOOKS = 20;
const NS_PER_S = 1e9;

/** A measurement of the event loop since the one before. */
export interface LoopSample {
  /** The longest that a timer of 20 ms came too late, seconds. */
  readonly lag: number;
  /** Part of the time in which the loop had work to do, or waited for the CPU to do it; 0..1. */
  readonly utilization: number;
}

/**
 * The lag of the event loop. Receiving, answering and settling wait as long, so a lag distinguishes a slow
 * machine from slow venues.
 */
export class EventLoopLag {
  readonly #delays: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #lags: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #used: EventLoopUtilization = performance.eventLoopUtilization();

  /** @param looked called after every look, once a second */
  start(looked: (look: LoopSample) => void = () => {}): void {
    this.#delays.enable();
    this.#timer ??= setInterval(() => looked(this.#look()), POLL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#delays.disable();
  }

  /** The longest delay of the last twenty seconds, in seconds. */
  seconds(): number {
    return Math.max(this.#longest(), ...this.#lags);
  }

  #look(): LoopSample {
    const lag = this.#longest();
    this.#delays.reset();
    this.#lags.push(lag);
    if (this.#lags.length > LOOKS) this.#lags.shift();
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#used);
    this.#used = now;
    return { lag, utilization };
  }

  /** Node.js records the whole time between two turns of its timer. */
  #longest(): number {
    const { count, max } = this.#delays;
    return count === 0 ? 0 : Math.max(0, max / NS_PER_S - RESOLUTION_MS / 1000);
  }
}

import type { Clock } from '../domain/clock.ts';
import { monotonicFrom } from '../runtime/monotonic.ts';
import type { Timer } from '../runtime/timer.ts';

interface Waiting {
  readonly frame: string;
  readonly sent: (() => void) | undefined;
}

/** Sends client frames in order, at most so many a second. */
export class FramePacer {
  readonly #gapMs: number;
  readonly #elapsed: () => number;
  readonly #timer: Timer;
  readonly #send: (frame: string) => void;
  #waiting: Waiting[] = [];
  #nextAt = 0;
  #cancel: (() => void) | undefined;

  constructor(framesPerSecond: number, clock: Clock, timer: Timer, send: (frame: string) => void) {
    this.#gapMs = framesPerSecond > 0 ? 1000 / framesPerSecond : 0;
    this.#elapsed = monotonicFrom(clock);
    this.#timer = timer;
    this.#send = send;
  }

  /** Frames that wait. */
  get size(): number {
    return this.#waiting.length;
  }

  /** @param sent called when the last of the frames goes out, at once where there are none */
  push(frames: readonly string[], sent?: () => void): void {
    frames.forEach((frame, i) => {
      this.#waiting.push({ frame, sent: i === frames.length - 1 ? sent : undefined });
    });
    if (frames.length === 0) sent?.();
    if (this.#cancel === undefined) this.#drain();
  }

  /** Ahead of the queue: answers to pings must not wait behind hundreds of subscriptions. */
  urgent(frame: string): void {
    this.#nextAt = Math.max(this.#nextAt, this.#elapsed()) + this.#gapMs;
    this.#send(frame);
  }

  /** Forgets what waits. */
  clear(): void {
    this.#waiting = [];
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #drain(): void {
    this.#cancel = undefined;
    while (this.#waiting.length > 0) {
      const wait = this.#nextAt - this.#elapsed();
      if (wait > 0) {
        this.#cancel = this.#timer(wait, () => this.#drain());
        return;
      }
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#nextAt = this.#elapsed() + this.#gapMs;
      this.#send(next.frame);
      next.sent?.();
    }
  }
}

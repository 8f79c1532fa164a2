import type { Clock } from '../../src/domain/clock.ts';
import { asMs } from '../../src/domain/units.ts';
import type { Timer } from '../../src/runtime/timer.ts';

interface Due {
  readonly at: number;
  readonly run: () => void;
}

/** Time that only moves when told to: a clock and the timers that hang on it. */
export class ManualTime {
  #now: number;
  #setBackBy = 0;
  #due: Due[] = [];

  constructor(startMs = Date.UTC(2026, 9, 20, 12)) {
    this.#now = startMs;
  }

  get now(): number {
    return this.#now;
  }

  readonly clock: Clock = { now: () => asMs(this.#now - this.#setBackBy) };

  readonly timer: Timer = (ms, run) => {
    const due = { at: this.#now + Math.max(0, ms), run };
    this.#due.push(due);
    return () => {
      this.#due = this.#due.filter((other) => other !== due);
    };
  };

  /** Timers that wait. */
  get pending(): number {
    return this.#due.length;
  }

  /** When the next timer is due. */
  get nextAt(): number | undefined {
    return this.#due.length === 0 ? undefined : Math.min(...this.#due.map((due) => due.at));
  }

  /** Sets the clock back. Timers know nothing of it, as those of the system. */
  setBack(ms: number): void {
    this.#setBackBy += ms;
  }

  /**
   * Moves on without running anything: as after the machine slept. Timers that fell due run with the next
   * advance.
   */
  jump(ms: number): void {
    this.#now += ms;
  }

  /** Moves on, running what falls due in order; promises settle in between. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settled();
    for (;;) {
      const next = this.#due.reduce<Due | undefined>(
        (a, b) => (a === undefined || b.at < a.at ? b : a),
        undefined,
      );
      if (next === undefined || next.at > until) break;
      this.#due = this.#due.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
      await settled();
    }
    this.#now = until;
    await settled();
  }
}

/** Lets promise chains run to where they wait for something. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

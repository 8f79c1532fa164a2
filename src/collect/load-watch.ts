import type { Clock } from '../domain/clock.ts';
import { monotonicFrom } from '../runtime/monotonic.ts';
import { EventLoopLag, type LoopSample } from './event-loop.ts';
import { type IsShed, LoadShedding, type Overload, SHED_ORDER } from './load-shedding.ts';
import type { CollectLogger } from './logger.ts';

/** The load of the machine. */
export interface LoadState extends Overload {
  /** The longest that the event loop was late of late, seconds. */
  readonly lagSeconds: number;
}

/** A part outside of this process that does less for it before it sheds anything itself. */
export interface Precedent {
  /** Hears each look that counts, and how many steps are shed after it. */
  observe(look: LoopSample, level: number): void;
  /** True while it can still do less. */
  canYield(): boolean;
}

/** Watches the event loop of this process, and says what is given up where it is too slow. */
export class LoadWatch {
  readonly #loop = new EventLoopLag();
  readonly #shedding = new LoadShedding();
  readonly #clock: Clock;
  /** Decisions use a monotonic clock: a clock set back would hold them up. */
  readonly #elapsed: () => number;
  readonly #logger: CollectLogger;
  #precedent: Precedent | undefined;

  constructor(clock: Clock, logger: CollectLogger) {
    this.#clock = clock;
    this.#elapsed = monotonicFrom(clock);
    this.#logger = logger;
  }

  start(): void {
    this.#loop.start((look) => this.observe(look));
  }

  /** From now on nothing is shed while this can do less. */
  precededBy(precedent: Precedent): void {
    this.#precedent = precedent;
  }

  /** A look at the event loop, one a second. */
  observe(look: LoopSample): void {
    const before = this.#shedding.state.level;
    const now = this.#elapsed();
    const isPreceded = this.#precedent?.canYield() ?? false;
    if (this.#shedding.observe(look, now, this.#clock.now(), isPreceded)) this.#tell(before);
    if (this.#shedding.hasBegun(now)) this.#precedent?.observe(look, this.#shedding.state.level);
  }

  stop(): void {
    this.#loop.stop();
  }

  /** True while this work is shed. */
  readonly isShed: IsShed = (what) => this.#shedding.isShed(what);

  state(): LoadState {
    return { ...this.#shedding.state, lagSeconds: this.#loop.seconds() };
  }

  #tell(before: number): void {
    const { level, reason } = this.#shedding.state;
    if (level > before)
      this.#logger.warn({ overload: level, shed: SHED_ORDER[before], reason }, 'load is shed');
    else this.#logger.info({ overload: level, restored: SHED_ORDER[level] }, 'load is taken up again');
  }
}

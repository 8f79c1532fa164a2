/** Books are slowed to at most an eighth: a reader takes a stream that brings nothing for twenty seconds for broken. */
export const SLOWEST = 8;
/** Ticks are slowed to at most a quarter: rarer rows would be too old for the comparisons of a reader. */
const SLOWEST_TICKS = 4;
/** Mean lateness of a timer at which the process waits for the CPU, and below which there is room for more, ms. */
const LATE_MS = 25;
const CALM_MS = 10;
/**
 * A reader of the world whose event loop is so busy, or so late (s), is about to give something up; below the second values it
 * has room for more.
 */
const PRESSED = { utilization: 0.85, lag: 0.4 };
const AT_EASE = { utilization: 0.6, lag: 0.25 };
/** A slow machine is answered within two looks, before a reader of the world gives anything up. */
const LOOKS_TO_SLOW = 2;
const LOOKS_TO_HURRY = 10;
/** Each time that a faster pace did not last, the next is tried after twice as many looks, at most these. */
const MOST_LOOKS = 160;

/** The load of the event loop of a process that reads the world, once a second. */
export interface ReaderLoad {
  /** Part of the time in which it had work, 0..1. */
  readonly utilization: number;
  /** The longest that a timer was late, s. */
  readonly lag: number;
  /** Kinds of work that it has given up. */
  readonly level: number;
}

/** The number of times that ticks are slower than usual in a world of this slowness. */
export const tickSlowness = (slowness: number): number => Math.min(slowness, SLOWEST_TICKS);

/** The pace of the world as it tells its reader. */
export interface WorldPace {
  /** Every book takes so many times its usual time from step to step. */
  readonly slowness: number;
  /** True where it slows no further. */
  readonly isSlowest: boolean;
}

/**
 * The pace of the world: how many times slower than usual its books change, by the lag of its own event loop and of its reader's. It
 * slows before the reader gives work up, and hurries after all of that was taken up again. It holds no timer and no clock.
 */
export class Pace {
  #slowness = 1;
  #late = 0;
  #calm = 0;
  #looksToHurry = LOOKS_TO_HURRY;
  #hasHurried = false;
  #reader: ReaderLoad | undefined;

  /** Takes what the reader says, which counts until it says something else. */
  hear(reader: ReaderLoad): void {
    this.#reader = reader;
  }

  get state(): WorldPace {
    return { slowness: this.#slowness, isSlowest: this.#slowness >= SLOWEST };
  }

  /** 1, 2, 4 or 8: every book takes so many times its usual time from step to step. */
  get slowness(): number {
    return this.#slowness;
  }

  /**
   * A look at the event loop, one a second.
   *
   * @param lagMs mean lateness of timers since the look before
   * @returns true if the pace has changed
   */
  observe(lagMs: number): boolean {
    this.#late = lagMs >= LATE_MS || this.#isPressed() ? this.#late + 1 : 0;
    this.#calm = lagMs < CALM_MS && this.#isAtEase() ? this.#calm + 1 : 0;
    if (this.#late >= LOOKS_TO_SLOW && this.#slowness < SLOWEST) return this.#slow();
    if (this.#calm >= this.#looksToHurry && this.#slowness > 1) return this.#hurry();
    return false;
  }

  #isPressed(): boolean {
    const { utilization = 0, lag = 0 } = this.#reader ?? {};
    return utilization >= PRESSED.utilization || lag >= PRESSED.lag;
  }

  #isAtEase(): boolean {
    const { utilization = 0, lag = 0, level = 0 } = this.#reader ?? {};
    return utilization < AT_EASE.utilization && lag < AT_EASE.lag && level === 0;
  }

  #slow(): true {
    this.#slowness *= 2;
    this.#late = 0;
    if (this.#hasHurried) this.#looksToHurry = Math.min(MOST_LOOKS, this.#looksToHurry * 2);
    this.#hasHurried = false;
    return true;
  }

  #hurry(): true {
    this.#slowness /= 2;
    this.#calm = 0;
    this.#hasHurried = true;
    return true;
  }
}

/** A world is slowed to at most a quarter: rarer rows would be too old for the comparisons of a reader. */
const MOST = 4;
/** Mean lateness of a timer at which the process waits for the CPU, and below which there is room for more, ms. */
const LATE_MS = 25;
const CALM_MS = 10;
/** A slow machine is answered within two looks, before a reader of the world gives anything up. */
const LOOKS_TO_SLOW = 2;
const LOOKS_TO_HURRY = 10;
/** Each time that a faster pace did not last, the next is tried after twice as many looks, at most these. */
const MOST_LOOKS = 160;

/**
 * The pace of the world: how many times slower than usual it ticks, by the lag of the event loop. It holds no timer and no
 * clock.
 */
export class Pace {
  #slowness = 1;
  #late = 0;
  #calm = 0;
  #looksToHurry = LOOKS_TO_HURRY;
  #hasHurried = false;

  /** 1, 2 or 4: every period of the world is so many times its usual length. */
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
    this.#late = lagMs >= LATE_MS ? this.#late + 1 : 0;
    this.#calm = lagMs < CALM_MS ? this.#calm + 1 : 0;
    if (this.#late >= LOOKS_TO_SLOW && this.#slowness < MOST) return this.#slow();
    if (this.#calm >= this.#looksToHurry && this.#slowness > 1) return this.#hurry();
    return false;
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

/** Where a window is short, not all of it goes to the first books: what else is asked at start must fit into it too. */
const SHORT_WINDOW_MS = 10_000;
const FILLED_AT_START = 0.2;

/** What the whole books of a venue may spend: a share of its limit, but at least one request at a time. */
export function bookAllowance(limit: number, perMs: number, share: number, weight: number): Allowance {
  const most = Math.max(limit * share, weight);
  const filled = perMs > SHORT_WINDOW_MS ? 1 : Math.max(FILLED_AT_START, weight / most);
  return new Allowance(most, perMs, filled);
}

/** Weight that one purpose may spend: it fills evenly up to one window's worth. */
export class Allowance {
  readonly #perMs: number;
  readonly #most: number;
  #left: number;
  #at = Number.NEGATIVE_INFINITY;

  /**
   * @param limit weight in `perMs`
   * @param filled part of a window's worth that is there at first, 0..1
   */
  constructor(limit: number, perMs: number, filled = 1) {
    this.#perMs = limit / perMs;
    this.#most = limit;
    this.#left = limit * filled;
  }

  /** Part of the whole that is there, 0..1. */
  filled(now: number): number {
    this.#fill(now);
    return this.#left / this.#most;
  }

  /** Takes the weight if it is there; a weight above a whole window needs the window full. */
  take(weight: number, now: number): boolean {
    this.#fill(now);
    if (this.#left < Math.min(weight, this.#most)) return false;
    this.#left -= weight;
    return true;
  }

  #fill(now: number): void {
    // A clock that was set back fills nothing by that.
    const passed = Number.isFinite(this.#at) ? Math.max(0, now - this.#at) : 0;
    this.#at = now;
    this.#left = Math.min(this.#most, this.#left + passed * this.#perMs);
  }
}

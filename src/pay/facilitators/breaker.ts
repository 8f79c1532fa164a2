export interface BreakerOptions {
  /** Failures in a row after which nobody is let in. */
  readonly openAfter: number;
  /** After so long a single one is, whose outcome decides, ms. */
  readonly restMs: number;
  /** Monotonic clock, ms. */
  readonly now?: () => number;
}

/** A circuit breaker: callers that `enter` lets in report the outcome. */
export class Breaker {
  readonly #options: Required<BreakerOptions>;
  #failures = 0;
  #openUntil = 0;

  constructor(options: BreakerOptions) {
    this.#options = { now: () => performance.now(), ...options };
  }

  /** True while only occasional trial calls are let in. */
  get isOpen(): boolean {
    return this.#failures >= this.#options.openAfter;
  }

  /** Asks for permission to call; a caller that gets it calls `leave` after. */
  enter(): boolean {
    const { openAfter, restMs, now } = this.#options;
    if (this.#failures < openAfter) return true;
    const at = now();
    if (at < this.#openUntil) return false;
    // Nobody else until this one has ended; were it never to end, another may try after as long again.
    this.#openUntil = at + restMs;
    return true;
  }

  leave(isWell: boolean): void {
    const { openAfter, restMs, now } = this.#options;
    if (isWell) {
      this.#failures = 0;
      return;
    }
    this.#failures++;
    if (this.#failures >= openAfter) this.#openUntil = now() + restMs;
  }
}

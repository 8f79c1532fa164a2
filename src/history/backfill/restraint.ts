import { Allowance } from '../../collect/books/allowance.ts';
import { sleep, type Timer } from '../../collect/timer.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Budget } from '../../venues/adapter.ts';

/**
 * Part of a venue's rate limit that its past may use: the rest belongs to the present. Little where the window is long,
 * since what fills it there is missing for up to a minute; the allowance begins full, so it is spent twice at first.
 */
const shareOf = (perMs: number): number => (perMs <= 5000 ? 0.5 : 0.15);
const LOOK_MS = 100;

/** Holds back requests for the past, so that they never fill the window that live data needs. */
export class Restraint {
  readonly #clock: Clock;
  readonly #timer: Timer;
  readonly #allowances = new Map<string, Allowance>();

  constructor(clock: Clock, timer: Timer) {
    this.#clock = clock;
    this.#timer = timer;
  }

  /** Resolves when so much weight may be spent, or when the signal aborts. */
  async pass(budget: Budget, pool: string, weight: number, signal: AbortSignal): Promise<void> {
    const allowance = this.#allowanceOf(budget, pool);
    while (allowance !== undefined && !signal.aborted && !allowance.take(weight, this.#clock.now())) {
      await sleep(this.#timer, LOOK_MS, signal);
    }
  }

  /** Venues of one budget share it. */
  #allowanceOf({ id, pools }: Budget, name: string): Allowance | undefined {
    const key = `${id}\t${name}`;
    const known = this.#allowances.get(key);
    const pool = pools.find((one) => one.name === name);
    if (known !== undefined || pool === undefined) return known;
    const made = new Allowance(Math.max(1, pool.limit * shareOf(pool.perMs)), pool.perMs);
    this.#allowances.set(key, made);
    return made;
  }
}

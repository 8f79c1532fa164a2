import { Allowance } from '../../collect/books/allowance.ts';
import type { Clock } from '../../domain/clock.ts';
import { sleep, type Timer } from '../../runtime/timer.ts';
import type { Budget } from '../../venues/adapter.ts';

/**
 * Part of a venue's rate limit that its past may use: the rest belongs to the present. Little where the window is long,
 * since what fills it there is missing for up to a minute; the allowance begins full, so it is spent twice at first.
 */
const shareOf = (perMs: number): number => (perMs <= 10_000 ? 0.5 : 0.2);
/** What may wait leaves this part of the allowance to what is urgent. */
const LEFT_TO_URGENT = 0.75;
const LOOK_MS = 100;

/** What a request costs. */
export interface Spent {
  readonly budget: Budget;
  readonly pool: string;
  readonly weight: number;
}

/** Holds back requests for the past, so that they never fill the window that live data needs. */
export class Restraint {
  readonly #clock: Clock;
  readonly #timer: Timer;
  readonly #isHeld: () => boolean;
  readonly #allowances = new Map<string, Allowance>();

  /** @param isHeld whether nothing of the past may be asked at present */
  constructor(clock: Clock, timer: Timer, isHeld: () => boolean = () => false) {
    this.#clock = clock;
    this.#timer = timer;
    this.#isHeld = isHeld;
  }

  /**
   * Resolves when so much weight may be spent, or when the signal aborts.
   *
   * @param isUrgent whether it may spend what is left for the urgent; asked again while it waits
   */
  async pass(spent: Spent, isUrgent: () => boolean, signal: AbortSignal): Promise<void> {
    const allowance = this.#allowanceOf(spent.budget, spent.pool);
    const mayPass = (now: number): boolean =>
      !this.#isHeld() &&
      (allowance === undefined ||
        ((isUrgent() || allowance.filled(now) >= LEFT_TO_URGENT) && allowance.take(spent.weight, now)));
    while (!signal.aborted && !mayPass(this.#clock.now())) await sleep(this.#timer, LOOK_MS, signal);
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

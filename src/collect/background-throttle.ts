import type { Clock } from '../domain/clock.ts';
import { sleep, type Timer } from '../runtime/timer.ts';
import { TokenBucket } from '../runtime/token-bucket.ts';
import type { Budget } from '../venues/adapter.ts';

/**
 * Part of a venue's rate limit that background requests may use: the rest is for live data. Little where the window is long,
 * since weight spent there is gone for up to a minute; the bucket starts full, so twice as much is spent at first.
 */
const backfillShare: BudgetShare = (perMs) => (perMs <= 10_000 ? 0.5 : 0.2);
/** Part of the bucket that is reserved for urgent requests. */
const URGENT_RESERVE = 0.75;
const POLL_MS = 100;

/** The cost of a request. */
export interface RequestCost {
  readonly budget: Budget;
  readonly pool: string;
  readonly weight: number;
}

/** Part of a rate limit, 0..1, by the length of its window, ms. */
export type BudgetShare = (perMs: number) => number;

/** Throttles requests that may wait, so that they never use up the rate limit that live data needs. */
export class BackgroundThrottle {
  readonly #clock: Clock;
  readonly #timer: Timer;
  readonly #isHeld: () => boolean;
  readonly #shareOf: BudgetShare;
  readonly #buckets = new Map<string, TokenBucket>();

  /** @param isHeld whether nothing of the past may be asked at present */
  constructor(
    clock: Clock,
    timer: Timer,
    isHeld: () => boolean = () => false,
    shareOf: BudgetShare = backfillShare,
  ) {
    this.#clock = clock;
    this.#timer = timer;
    this.#isHeld = isHeld;
    this.#shareOf = shareOf;
  }

  /**
   * Resolves when the weight is granted, or when the signal aborts.
   *
   * @param isUrgent whether it may use the urgent reserve; evaluated again while it waits
   */
  async acquire(cost: RequestCost, isUrgent: () => boolean, signal: AbortSignal): Promise<void> {
    const bucket = this.#bucketOf(cost.budget, cost.pool);
    const isGranted = (now: number): boolean =>
      !this.#isHeld() &&
      (bucket === undefined ||
        ((isUrgent() || bucket.fillLevel(now) >= URGENT_RESERVE) && bucket.take(cost.weight, now)));
    while (!signal.aborted && !isGranted(this.#clock.now())) await sleep(this.#timer, POLL_MS, signal);
  }

  /** Venues of one budget share a bucket. */
  #bucketOf({ id, pools }: Budget, name: string): TokenBucket | undefined {
    const key = `${id}\t${name}`;
    const known = this.#buckets.get(key);
    const pool = pools.find((pool) => pool.name === name);
    if (known !== undefined || pool === undefined) return known;
    const made = new TokenBucket(Math.max(1, pool.limit * this.#shareOf(pool.perMs)), pool.perMs);
    this.#buckets.set(key, made);
    return made;
  }
}

import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../domain/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import { monotonicFrom } from '../runtime/monotonic.ts';
import type { Timer } from '../runtime/timer.ts';
import type { Budget } from '../venues/adapter.ts';
import { BudgetPoolState, type PoolStats, type WeightRequest } from './budget-pool.ts';
import type { LimitSigns } from './rate-refusal.ts';
import { readRetryAfter } from './retry-after.ts';
import { failed, type Outcome } from './transport-failure.ts';

/** Leave to send one request. `done` must be called when its answer is there, or when it failed. */
export interface RateLimitPermit {
  /** For `backOff` alone: ms of the budget's own count. */
  readonly grantedAt: number;
  /** Time spent waiting for weight, ms. */
  readonly waitedMs: number;
  done(): void;
}

export interface BudgetRequest extends WeightRequest {
  /** Pool name; `default` when absent. */
  readonly pool?: string | undefined;
  readonly signal: AbortSignal;
}

export interface BudgetStats {
  readonly pools: Readonly<Record<string, PoolStats>>;
}

export interface BudgetOptions {
  readonly clock: Clock;
  readonly timer: Timer;
  /** Share of each documented limit that is used; default 0.85. */
  readonly margin?: number;
}

/** A ban answered without its length (HTTP 418, as the Binance family answers). */
const BAN_MS = 120_000;
const MAX_BAN_MS = 3 * DAY_MS;
const MAX_PAUSE_MS = HOUR_MS;
/** No rate limit (HTTP 429) is known that asks for more seconds than this; for as many milliseconds, some. */
const MAX_PLAUSIBLE_S = 1000;
const UNLIMITED = { name: 'default', limit: Number.POSITIVE_INFINITY, perMs: 1000 };

/** The weight budget of a host, shared by all venues that name its id. */
export class RateBudget {
  readonly id: string;
  /** By which answers of this host a refusal for the rate is known. */
  readonly limitSigns: LimitSigns;
  readonly #options: BudgetOptions;
  readonly #unit: Budget['retryAfterUnit'];
  /** One count for all pools: a ban pauses each from what one of them was granted. */
  readonly #elapsed: () => number;
  readonly #pools = new Map<string, BudgetPoolState>();

  constructor(budget: Budget, options: BudgetOptions) {
    this.id = budget.id;
    this.#options = options;
    this.#unit = budget.retryAfterUnit;
    this.limitSigns = budget;
    this.#elapsed = monotonicFrom(options.clock);
    this.extend(budget);
  }

  /** Adds the pools that another venue names under the same id; a pool that is there stays as it is. */
  extend(budget: Budget): void {
    const pools = budget.pools.length > 0 || this.#pools.size > 0 ? budget.pools : [UNLIMITED];
    for (const pool of pools) {
      if (this.#pools.has(pool.name)) continue;
      const { clock, timer, margin = 0.85 } = this.#options;
      const shared = { clock, timer, margin, elapsed: this.#elapsed };
      this.#pools.set(pool.name, new BudgetPoolState(pool, shared));
    }
  }

  /** Waits for weight. Fails when aborted, or at once when the weight can never fit. */
  async acquire(request: BudgetRequest): Promise<Outcome<RateLimitPermit>> {
    const pool = this.#pool(request.pool);
    if (pool === undefined)
      return failed('rate_limited', `no budget pool named ${request.pool ?? 'default'}`);
    if (!pool.fits(request.weight)) {
      return failed('rate_limited', `weight ${request.weight} is over the limit of ${pool.limit}`);
    }
    const granted = await pool.acquire(request, request.signal);
    if (granted === undefined) return failed('aborted', 'stopped while waiting for weight');
    let open = true;
    return {
      ok: true,
      value: {
        ...granted,
        done: () => {
          if (open) pool.settle(request);
          open = false;
        },
      },
    };
  }

  /** Keeps room in a pool for a poll of this weight every `everyMs`. */
  reserve(owner: string, poolName: string | undefined, weight: number, everyMs: number): void {
    this.#pool(poolName)?.reserve(owner, weight, everyMs);
  }

  /** Reads the venue's own count of used weight from an answer. */
  observe(headers: IncomingHttpHeaders): void {
    for (const pool of this.#pools.values()) pool.observe(headers);
  }

  /**
   * The venue refused for the rate, by status or body: pauses the pool (the whole budget for a ban) for as long
   * as the venue asks, else for a window or the usual time of a ban, doubling while refusals go on.
   *
   * @returns the pause in ms
   */
  backOff(
    answer: { readonly status: number; readonly headers: IncomingHttpHeaders },
    poolName: string | undefined,
    grantedAt: number,
  ): number {
    const now = this.#options.clock.now();
    const banMs = this.#banMs(answer.status);
    const doubtAbove = answer.status === 429 ? MAX_PLAUSIBLE_S : undefined;
    const asked = readRetryAfter(answer.headers, now, { unit: this.#unit, doubtAbove });
    let longest = 0;
    for (const pool of banMs !== undefined ? this.#pools.values() : [this.#pool(poolName)]) {
      if (pool === undefined) continue;
      const window = Math.min(MINUTE_MS, Math.max(1000, pool.perMs));
      const longestMs = banMs === undefined ? MAX_PAUSE_MS : MAX_BAN_MS;
      longest = Math.max(longest, pool.pause(asked, { initialMs: banMs ?? window, longestMs }, grantedAt));
    }
    return longest;
  }

  /** An answer came through: refusals begin to count again. */
  resetBackoff(poolName: string | undefined): void {
    this.#pool(poolName)?.resetBackoff();
  }

  stats(): BudgetStats {
    const pools = [...this.#pools].map(([name, pool]) => [name, pool.stats()] as const);
    return { pools: Object.fromEntries(pools) };
  }

  /** The usual length of a ban, if the status is one of a ban. */
  #banMs(status: number): number | undefined {
    if (status === 418) return BAN_MS;
    const { limitStatus } = this.limitSigns;
    return status === limitStatus?.status ? limitStatus.banMs : undefined;
  }

  #pool(name: string | undefined): BudgetPoolState | undefined {
    const named = this.#pools.get(name ?? 'default');
    if (named !== undefined || name !== undefined) return named;
    return this.#pools.values().next().value;
  }
}

/** All budgets of a collector by id. */
export class BudgetRegistry {
  readonly #options: BudgetOptions;
  readonly #budgets = new Map<string, RateBudget>();

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** The budget with this id, made on first use. */
  of(budget: Budget): RateBudget {
    const known = this.#budgets.get(budget.id);
    if (known !== undefined) {
      known.extend(budget);
      return known;
    }
    const made = new RateBudget(budget, this.#options);
    this.#budgets.set(budget.id, made);
    return made;
  }

  stats(): Readonly<Record<string, BudgetStats>> {
    return Object.fromEntries([...this.#budgets].map(([id, budget]) => [id, budget.stats()]));
  }
}

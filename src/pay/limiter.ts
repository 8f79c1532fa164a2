import type { Clock } from '../domain/clock.ts';

export interface LimiterOptions {
  readonly clock: Clock;
  /** Uses that may come at once. */
  readonly burst: number;
  /** Time in which one use grows back. */
  readonly refillMs: number;
  /** Uses beyond those that are counted all the same: they have to grow back as well. Default 0. */
  readonly maxDebt?: number;
  /** Keys that are remembered; the one not used for longest is forgotten first. */
  readonly maxKeys?: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Token buckets by key. */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  /** Seconds to wait until the key may be used, 0 when it may be used now. Takes nothing. */
  waitSeconds(key: string): number {
    if (!this.#buckets.has(key)) return 0;
    const { tokens } = this.#current(key);
    return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * this.#options.refillMs) / 1000);
  }

  /** Uses the key once. */
  take(key: string): void {
    const { maxDebt = 0 } = this.#options;
    const bucket = this.#current(key);
    this.#keep(key, { ...bucket, tokens: Math.max(-maxDebt, bucket.tokens - 1) });
  }

  /** Takes a use back, so that it counts as none; of a key that is forgotten there is nothing to take back. */
  giveBack(key: string): void {
    if (!this.#buckets.has(key)) return;
    const bucket = this.#current(key);
    this.#keep(key, { ...bucket, tokens: Math.min(this.#options.burst, bucket.tokens + 1) });
  }

  #keep(key: string, bucket: Bucket): void {
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const oldest =
      this.#buckets.size > (this.#options.maxKeys ?? 10_000) ? this.#buckets.keys().next() : undefined;
    if (oldest?.value !== undefined) this.#buckets.delete(oldest.value);
  }

  #current(key: string): Bucket {
    const { clock, burst, refillMs } = this.#options;
    const now = clock.now();
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return { tokens: burst, at: now };
    // A clock that was set back must not keep anybody waiting until it is there again.
    bucket.at = Math.min(bucket.at, now);
    return { tokens: Math.min(burst, bucket.tokens + (now - bucket.at) / refillMs), at: now };
  }
}

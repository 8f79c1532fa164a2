import { atomicOf, least, most } from './usd.ts';

/** Most that may be spent, USD as decimal text. Read at every call: a getter may change them. */
export interface Caps {
  readonly perCall: string;
  /** In any sixty minutes. */
  readonly perHour?: string | undefined;
  /** In any twenty-four hours. */
  readonly perDay?: string | undefined;
  /** As long as the store of receipts reaches back. */
  readonly total: string;
}

export interface OverCap {
  readonly cap: 'call' | 'hour' | 'day' | 'total';
  readonly left: bigint;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Entry {
  readonly at: number;
  readonly amount: bigint;
}

/** Spent amounts, promised ones, and those that may have been spent, by the name of their authorization. */
export class Budget {
  readonly #caps: Caps;
  readonly #recent = new Map<string, Entry>();
  /** Of what is older than a day. */
  #older = 0n;

  /** @throws RangeError for a cap that is no amount */
  constructor(caps: Caps) {
    for (const usd of [caps.perCall, caps.perHour, caps.perDay, caps.total])
      if (usd !== undefined) atomicOf(usd);
    this.#caps = caps;
  }

  /** Counts what an earlier run spent. */
  restore(name: string, amount: bigint, at: number): void {
    this.#recent.set(name, { at, amount });
  }

  /**
   * Takes an amount at once, before anything is waited for, so that calls at the same time share the caps.
   * @param price of the call, where the amount is another one
   * @returns the cap that does not allow it
   */
  reserve(name: string, amount: bigint, now: number, price = amount): OverCap | undefined {
    const { perCall, perHour, perDay, total } = this.#caps;
    const caps = [
      ['call', perCall, 0n, price],
      ['hour', perHour, this.#since(now - HOUR_MS), amount],
      ['day', perDay, this.#since(now - DAY_MS), amount],
      ['total', total, this.spent(), amount],
    ] as const;
    for (const [cap, usd, spent, asked] of caps) {
      if (usd === undefined) continue;
      const left = atomicOf(usd) - spent;
      if (asked > left) return { cap, left: left > 0n ? left : 0n };
    }
    this.#forget(now - DAY_MS);
    this.#recent.set(name, { at: now, amount });
    return undefined;
  }

  /** The cap of a call, atomic units. */
  perCall(): bigint {
    return atomicOf(this.#caps.perCall);
  }

  /** The rest of the caps of the day and in all, atomic units. */
  left(now: number): bigint {
    const { perDay, total } = this.#caps;
    const inAll = atomicOf(total) - this.spent();
    const today = perDay === undefined ? inAll : atomicOf(perDay) - this.#since(now - DAY_MS);
    return most(least(inAll, today), 0n);
  }

  /** Gives back what was certainly not spent. */
  release(name: string): void {
    this.#recent.delete(name);
  }

  /** Atomic units. */
  spent(): bigint {
    return this.#older + this.#since(Number.NEGATIVE_INFINITY);
  }

  #since(from: number): bigint {
    let sum = 0n;
    for (const { at, amount } of this.#recent.values()) if (at > from) sum += amount;
    return sum;
  }

  #forget(until: number): void {
    for (const [name, { at, amount }] of this.#recent) {
      if (at > until) continue;
      this.#older += amount;
      this.#recent.delete(name);
    }
  }
}

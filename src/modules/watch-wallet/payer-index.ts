import type { Clock } from '../../domain/clock.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import { monotonicFrom } from '../../runtime/monotonic.ts';
import type { Watches } from '../watch/port.ts';

/** All watches are read no more often than this: tens of thousands of them hold up other work. */
const EVERY_MS = 10 * SECOND_MS;

/** Ids of watches by who paid for them, as they were at most ten seconds ago. */
export class PayerIndex {
  readonly #stored: Watches['stored'];
  readonly #steadyNow: () => number;
  #known: ReadonlyMap<string, readonly string[]> = new Map();
  #additions = -1;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(stored: Watches['stored'], clock: Clock) {
    this.#stored = stored;
    this.#steadyNow = monotonicFrom(clock);
  }

  /** @param payer address in lower case */
  of(payer: string): readonly string[] {
    const { additions } = this.#stored;
    const now = this.#steadyNow();
    if (additions !== this.#additions && now - this.#readAt >= EVERY_MS) {
      this.#known = this.#read();
      this.#additions = additions;
      this.#readAt = now;
    }
    return this.#known.get(payer) ?? [];
  }

  #read(): ReadonlyMap<string, readonly string[]> {
    const known = new Map<string, string[]>();
    for (const { id, payer } of this.#stored.watches()) {
      if (payer === undefined) continue;
      const before = known.get(payer);
      if (before === undefined) known.set(payer, [id]);
      else before.push(id);
    }
    return known;
  }
}

import type { Settlement } from './sample.ts';

/** Points of a contract that are remembered. */
const KEPT = 64;

/** Remembers what was written lately, so that a point that a venue repeats at every poll is written once. */
export class RecentSettlements {
  readonly #written = new Map<string, Map<number, number>>();

  /** The settlements that say something new. */
  fresh(settlements: readonly Settlement[]): readonly Settlement[] {
    return settlements.filter(({ venue, symbol, listedAt, at, rate }) => {
      const key = `${venue}\t${symbol}\t${listedAt}`;
      const known = this.#written.get(key) ?? new Map<number, number>();
      this.#written.set(key, known);
      if (known.get(at) === rate) return false;
      known.set(at, rate);
      const [oldest] = known.keys();
      if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
      return true;
    });
  }

  /** These were not taken after all: they are new when the venue reports them again. */
  forget(settlements: readonly Settlement[]): void {
    for (const { venue, symbol, listedAt, at } of settlements) {
      this.#written.get(`${venue}\t${symbol}\t${listedAt}`)?.delete(at);
    }
  }
}

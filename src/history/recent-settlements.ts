import type { Settlement } from './sample.ts';

/** Points of a contract that are remembered at least. */
const KEPT = 64;

interface Written {
  /** Rate by time. */
  readonly rates: Map<number, number>;
  /** Points of the longest answer: with fewer, each answer would push out what the next one repeats. */
  kept: number;
}

const keyOf = ({ venue, symbol, listedAt }: Settlement): string => `${venue}\t${symbol}\t${listedAt}`;

/** Remembers what was written lately, so that a point that a venue repeats at every poll is written once. */
export class RecentSettlements {
  readonly #written = new Map<string, Written>();

  /** The settlements of an answer that say something new. */
  fresh(settlements: readonly Settlement[]): readonly Settlement[] {
    const counts = new Map<Written, number>();
    const fresh = settlements.filter((one) => {
      const written = this.#writtenOf(one);
      counts.set(written, (counts.get(written) ?? 0) + 1);
      if (written.rates.get(one.at) === one.rate) return false;
      written.rates.set(one.at, one.rate);
      return true;
    });
    for (const [written, points] of counts) forgetOldest(written, points);
    return fresh;
  }

  /** These were not taken after all: they are new when the venue reports them again. */
  forget(settlements: readonly Settlement[]): void {
    for (const one of settlements) this.#written.get(keyOf(one))?.rates.delete(one.at);
  }

  #writtenOf(one: Settlement): Written {
    const key = keyOf(one);
    const written = this.#written.get(key) ?? { rates: new Map<number, number>(), kept: KEPT };
    this.#written.set(key, written);
    return written;
  }
}

function forgetOldest(written: Written, points: number): void {
  const { rates } = written;
  written.kept = Math.max(written.kept, points);
  if (rates.size <= written.kept) return;
  const times = [...rates.keys()].sort((a, b) => a - b);
  for (const at of times.slice(0, rates.size - written.kept)) rates.delete(at);
}

import type { UnixMs } from '../domain/units.ts';
import { DAY_MS, HOUR_MS } from '../runtime/duration.ts';
import type { Settlement } from './sample.ts';

/** Points of a contract that are remembered at least. */
const KEPT = 64;
/** A contract without a settlement for so long is listed no more, or is stated in another way. */
const FORGOTTEN_MS = 3 * DAY_MS;

interface Written {
  /** Rate by time. */
  readonly rates: Map<number, number>;
  /** Points of the venue's longest answer: with fewer, each answer would push out what the next one repeats. */
  kept: number;
  toldAt: UnixMs;
}

const keyOf = ({ venue, symbol, listedAt }: Settlement): string => `${venue}\t${symbol}\t${listedAt}`;

/** Remembers what was written lately, so that a point that a venue repeats at every poll is written once. */
export class RecentSettlements {
  readonly #written = new Map<string, Written>();
  #sweptAt = 0;

  /** The settlements of an answer that say something new. */
  fresh(settlements: readonly Settlement[], now: UnixMs): readonly Settlement[] {
    this.#forgetUntold(now);
    const counts = new Map<Written, number>();
    const fresh = settlements.filter((settlement) => {
      const written = this.#writtenOf(settlement, now);
      // A back-filled span comes once.
      const points = settlement.origin === 'backfilled' ? 0 : 1;
      counts.set(written, (counts.get(written) ?? 0) + points);
      if (written.rates.get(settlement.at) === settlement.rate) return false;
      written.rates.set(settlement.at, settlement.rate);
      return true;
    });
    for (const [written, points] of counts) forgetOldest(written, points);
    return fresh;
  }

  /** These were not taken after all: they are new when the venue reports them again. */
  forget(settlements: readonly Settlement[]): void {
    for (const one of settlements) this.#written.get(keyOf(one))?.rates.delete(one.at);
  }

  #writtenOf(settlement: Settlement, now: UnixMs): Written {
    const key = keyOf(settlement);
    const written = this.#written.get(key) ?? { rates: new Map<number, number>(), kept: KEPT, toldAt: now };
    written.toldAt = now;
    this.#written.set(key, written);
    return written;
  }

  #forgetUntold(now: UnixMs): void {
    // Without the sign: after a clock was set back, too.
    if (Math.abs(now - this.#sweptAt) < HOUR_MS) return;
    this.#sweptAt = now;
    for (const [key, written] of this.#written) {
      if (now < written.toldAt) written.toldAt = now;
      else if (now - written.toldAt > FORGOTTEN_MS) this.#written.delete(key);
    }
  }
}

function forgetOldest(written: Written, points: number): void {
  const { rates } = written;
  written.kept = Math.max(written.kept, points);
  if (rates.size <= written.kept) return;
  const times = [...rates.keys()].sort((a, b) => a - b);
  for (const at of times.slice(0, rates.size - written.kept)) rates.delete(at);
}

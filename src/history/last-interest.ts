import type { Clock } from '../domain/clock.ts';
import type { StatedInterest } from '../domain/series.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import { createRenames, type Renames } from '../market/registry/renames.ts';
import { DAY_MS, HOUR_MS } from '../runtime/duration.ts';
import { groupBy } from '../runtime/group-by.ts';
import { lastInterestQuery, readLastInterest } from './queries/last-interest.ts';
import type { Readings } from './reading.ts';
import { SAMPLE_STEP_MS } from './sample.ts';
import { type HistoryStore, type StoreResult, stored } from './store.ts';

export interface LastInterestOptions {
  readonly store: HistoryStore;
  readonly clock: Clock;
  /** Time of the newest sample that is stored. */
  readonly newest: () => UnixMs | undefined;
  /** The reading of values as of a time. */
  readonly readings: (at: UnixMs) => Readings;
  readonly renames?: Renames;
}

/** Open interest that was stored until the end of the last run. */
export class LastInterest {
  readonly #options: LastInterestOptions;
  readonly #renames: Renames;

  constructor(options: LastInterestOptions) {
    this.#options = options;
    this.#renames = options.renames ?? createRenames();
  }

  /**
   * USD open interest of each asset on each venue, as the hour before the newest sample has it last, under
   * present names. Empty where that sample is more than a day old: markets have moved on since.
   */
  async read(): Promise<StoreResult<readonly StatedInterest[]>> {
    const { store, clock, newest, readings } = this.#options;
    const now = clock.now();
    const to = newest();
    if (to === undefined || now - to > DAY_MS) return stored([]);
    const span = { from: asMs(to - HOUR_MS), to };
    const reading = readings(now).of(span, ['mark', 'interest', 'interestUsd']);
    const found = await store.select(lastInterestQuery(span, reading));
    if (!found.ok) return found;
    const named = found.value.map(readLastInterest).map((stated) => {
      const present = this.#renames.presentOf(stated.canonicalId, stated.at);
      return present === undefined ? stated : { ...stated, canonicalId: present.canonicalId };
    });
    return stored(lastOfVenues(named));
  }
}

/** Leaves what each venue had to the end of an asset: what went on under a new name is not counted under the old one, too. */
function lastOfVenues(stated: readonly StatedInterest[]): readonly StatedInterest[] {
  const keyOf = ({ canonicalId, venue }: StatedInterest): string => `${canonicalId}\t${venue}`;
  const groups = groupBy(stated, keyOf);
  const newest = new Map(
    [...groups].map(([key, ofVenue]) => [key, Math.max(...ofVenue.map(({ at }) => at))]),
  );
  return stated.filter((interest) => interest.at > (newest.get(keyOf(interest)) ?? 0) - 2 * SAMPLE_STEP_MS);
}

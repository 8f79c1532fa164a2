import type { Clock } from '../domain/clock.ts';
import type { UnixMs } from '../domain/units.ts';
import type { Readings } from './reading.ts';
import type { Retention } from './retention.ts';
import type { HistoryStore } from './store.ts';

export interface ReaderOptions {
  readonly store: HistoryStore;
  readonly clock: Clock;
  readonly retention: Retention;
  /** End of the last hour that is rolled up. */
  readonly rolledTo: () => UnixMs;
  /** Until when the roll-ups of an asset say all that its samples say; without it, all that are there do. */
  readonly currentTo?: (canonicalId: string) => UnixMs;
  /** The reading of values as of a time; without it they are read as they were written. */
  readonly readings?: (at: UnixMs) => Readings;
}

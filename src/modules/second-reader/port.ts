import type { VenueId } from '../../domain/venue.ts';
import type { Port } from '../../runtime/port.ts';
import type { QualityDays } from './counts/quality-days.ts';

/** Measures of the data, as products read them. */
export interface Measured {
  readonly counts: Pick<QualityDays, 'between'>;
  /** Calls of ccxt that a venue is asked by a second time. */
  readonly ccxtWays: (venue: VenueId) => readonly string[];
}

export const MEASURED: Port<Measured> = {
  name: 'measured',
  absent: { counts: { between: () => [] }, ccxtWays: () => [] },
};

import type { VenueId } from '../../domain/venue.ts';
import type { Port } from '../../runtime/port.ts';
import type { CoverageTracker } from './coverage/coverage.ts';
import type { Incidents } from './incidents/incidents.ts';

/** The audit, as products read it. */
export interface AuditView {
  readonly incidents: Pick<Incidents, 'between' | 'lasting'>;
  readonly coverage: Pick<CoverageTracker, 'days' | 'gaps'>;
  /** Contracts of a venue that break a rule of data quality now. */
  readonly suspects: (venue: VenueId) => number;
  /** Payments since start that were compared with the rate shown before, and those that were elsewhere. */
  readonly predictions: (venue: VenueId) => { readonly compared: number; readonly elsewhere: number };
}

export const AUDIT: Port<AuditView> = {
  name: 'audit',
  absent: {
    incidents: { between: () => [], lasting: () => [] },
    coverage: { days: () => [], gaps: () => [] },
    suspects: () => 0,
    predictions: () => ({ compared: 0, elsewhere: 0 }),
  },
};

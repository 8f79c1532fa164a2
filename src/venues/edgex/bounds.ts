import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'meta-data `fundingMaxRate`, `fundingMinRate`, fraction per interval',
  evidence:
    'captured 2026-09: 0.002 to 0.02 of four hours; two clients of the venue read them per interval. No document says so (`fundingInterestRate` beside them is of a day); of a longer time they would be looser than the true bounds, never tighter',
  confidence: 'medium',
};

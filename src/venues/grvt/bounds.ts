import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field:
    'all_instruments `adjusted_funding_rate_cap`, `adjusted_funding_rate_floor`, percent per interval as rates are',
  evidence: 'recorded 0.75 and 2.0 of eight hours',
  confidence: 'medium',
};

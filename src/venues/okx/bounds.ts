import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'public/funding-rate `maxFundingRate`, `minFundingRate`, fraction per interval',
  evidence: 'documentation; recorded 2023-12: 0.00375 and -0.00375',
  confidence: 'high',
};

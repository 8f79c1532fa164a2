import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'v5/market/instruments-info `upperFundingRate`, `lowerFundingRate`, fraction per interval',
  evidence: 'recorded 0.00375 and -0.00375 of eight hours; the ticker repeats the cap',
  confidence: 'high',
};

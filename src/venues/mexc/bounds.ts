import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'contract/funding_rate `maxFundingRate`, `minFundingRate`, fraction per interval',
  evidence: 'recorded 2026-09: 0.0018 and -0.0018',
  confidence: 'high',
};

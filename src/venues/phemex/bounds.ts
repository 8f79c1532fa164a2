import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'contract-biz/public/real-funding-rates `fundingRateCap`, `fundingRateFloor`, fraction per interval',
  evidence: 'recorded 2025-03: 0.02 and -0.02',
  confidence: 'high',
};

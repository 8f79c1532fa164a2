import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'fapi/v1/fundingInfo `adjustedFundingRateCap`, `adjustedFundingRateFloor`, fraction per interval',
  evidence: 'recorded 2025-09 of 526 contracts: 0.003 to 0.03',
  confidence: 'high',
};

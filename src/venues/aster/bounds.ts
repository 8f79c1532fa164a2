import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field:
    'fapi/v3/fundingInfo `fundingFeeCap`, `fundingFeeFloor`, fraction per interval, null of what has no funding',
  evidence: 'recorded 2025-09: 0.03 and -0.03 of eight hours',
  confidence: 'high',
};

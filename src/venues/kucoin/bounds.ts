import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'contracts/active, funding-rate `fundingRateCap`, `fundingRateFloor`, fraction per interval',
  evidence: 'recorded 2025-05 and 2026-09: 0.003 and -0.003',
  confidence: 'high',
};

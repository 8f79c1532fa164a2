import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'futures/usdt/contracts `funding_rate_limit`, fraction per interval, either way',
  evidence: 'recorded 2026-07: 0.02 of eight hours; funding_cap_ratio does not reproduce it',
  confidence: 'medium',
};

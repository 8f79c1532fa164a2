import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'get_all_instruments `perp_details.max_rate_per_hour`, `min_rate_per_hour`, fraction per hour',
  evidence: 'documents list the same figures (0.4 % an hour and less); recorded 0.004',
  confidence: 'high',
};

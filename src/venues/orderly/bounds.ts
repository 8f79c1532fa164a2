import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'v1/public/info `cap_funding`, `floor_funding`, fraction per period',
  evidence: 'recorded 0.003 and -0.003 beside a period of 8',
  confidence: 'high',
};

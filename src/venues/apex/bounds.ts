import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  evidence:
    'v3/symbols states fundingMaxRate and fundingMinRate (0.000234 in a documentation sample), but not of how many hours: not read',
  confidence: 'low',
};

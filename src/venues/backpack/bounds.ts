import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field:
    'api/v1/markets `fundingRateUpperBound`, `fundingRateLowerBound`, basis points per interval, null where there is none',
  evidence: 'OpenAPI: in basis points; recorded 100 and -100',
  confidence: 'high',
};

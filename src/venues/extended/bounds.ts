import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'info/markets `tradingConfig.hourlyFundingRateCap`, percent per hour, either way',
  evidence: 'recorded 0.25 and 1 beside rates as fractions per hour; the documents put caps in percent',
  confidence: 'medium',
};

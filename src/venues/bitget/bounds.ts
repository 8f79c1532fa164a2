import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'mix/market/current-fund-rate `maxFundingRate`, `minFundingRate`, fraction per interval',
  evidence: 'recorded 2025-10: 0.003 and -0.003 of BTC',
  confidence: 'high',
};

import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'v2/quote/premiumIndex `maxFundingRate`, `minFundingRate`, fraction per interval',
  evidence: 'profiled 2026-09 (arbitrage-observatory)',
  confidence: 'medium',
};

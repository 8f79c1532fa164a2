import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  evidence:
    'v5/market/funding_rate states max_funding_rate and min_funding_rate of ten contracts a call (recorded 2026-06: 0.00375), and is decoded with them; the batch call of all contracts, which is polled, states none',
  confidence: 'high',
};

import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field:
    'market_stats `funding_clamp_big`, percent for eight hours, an eighth of which bounds an hour either way',
  evidence:
    'recorded 2026-04: 4.0000; the documents divide the premium by eight, and bound an hour at half a percent',
  confidence: 'medium',
};

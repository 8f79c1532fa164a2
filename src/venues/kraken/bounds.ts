import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'instruments `maxRelativeFundingRate`, fraction per hour, either way',
  evidence: 'recorded 2025-11: 0.0025; support names the same bounds',
  confidence: 'high',
};

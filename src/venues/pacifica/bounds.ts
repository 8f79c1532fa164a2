import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'rule: 0.04 an hour, either way',
  evidence: 'documents: capped at 4 % an hour',
  confidence: 'high',
};

import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'public/futures `funding_cap`, `funding_floor`, fraction per interval, null of some',
  evidence: 'documents of 2026-08',
  confidence: 'medium',
};

import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'rule: 0.04 an hour, either way, on every dex',
  evidence:
    'documents: capped at 4 % an hour; in a public record of all payments from 2023-05 to 2026-10 none is above 0.04 or below -0.03',
  confidence: 'high',
};

import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2025-07: on the grid of settlements; no document says it',
    confidence: 'low',
  },
} satisfies PublishedStamps;

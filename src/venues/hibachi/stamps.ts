import type { PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2025-07: on the grid of settlements; no document says it',
    confidence: 'low',
  },
} satisfies PublishedStamps;

import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2023-04: on the grid of settlements, with the length of the interval',
    confidence: 'medium',
  },
} satisfies PublishedStamps;

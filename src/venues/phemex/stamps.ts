import type { PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2023-04: on the grid of settlements, with the length of the interval',
    confidence: 'medium',
  },
} satisfies PublishedStamps;

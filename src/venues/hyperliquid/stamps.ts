import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2023-05: some milliseconds after settlements',
    confidence: 'high',
  },
} satisfies PublishedStamps;

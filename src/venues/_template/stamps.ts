import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'invented',
    confidence: 'high',
  },
} satisfies PublishedStamps;

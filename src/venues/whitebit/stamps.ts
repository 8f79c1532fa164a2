import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence:
      'rateCalculatedTime of each row is one interval before, when the rate was fixed; recorded 2025-07',
    confidence: 'high',
  },
} satisfies PublishedStamps;

import type { PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence:
      'rateCalculatedTime of each row is one interval before, when the rate was fixed; recorded 2025-07',
    confidence: 'high',
  },
} satisfies PublishedStamps;

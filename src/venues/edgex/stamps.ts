import type { PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence:
      'rows with isSettlement, of which the premium is of the same minute and the rate before of the minute before; recorded 2024-12',
    confidence: 'high',
  },
} satisfies PublishedStamps;

import type { PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2023-05: some milliseconds after settlements',
    confidence: 'high',
  },
} satisfies PublishedStamps;

import type { PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'each row names the settlement after it, one interval later (documentation)',
    confidence: 'medium',
  },
} satisfies PublishedStamps;

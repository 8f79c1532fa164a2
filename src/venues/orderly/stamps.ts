import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'each row names the settlement after it, one interval later (documentation)',
    confidence: 'medium',
  },
} satisfies PublishedStamps;

import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2023-06: on full hours; documents: hourly rates that were settled',
    confidence: 'medium',
  },
  price: {
    means: 'instant',
    evidence: 'a valuation at its time (documents)',
    confidence: 'high',
  },
} satisfies PublishedStamps;

import type { PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
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

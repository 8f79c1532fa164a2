import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2023-09: the newest row lies before the answer; documents: settlement time',
    confidence: 'medium',
  },
  price: {
    means: 'begin',
    evidence:
      'open time of a candle, of which the open is read: the price at exactly that instant (recorded 2023-09)',
    confidence: 'high',
  },
} satisfies PublishedStamps;

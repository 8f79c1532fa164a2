import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2023-12: on the grid of settlements; documents: time of the funding',
    confidence: 'medium',
  },
  price: {
    means: 'begin',
    evidence:
      'open time of a candle, of which the open is read: the price at exactly that instant (recorded 2024-01)',
    confidence: 'high',
  },
} satisfies PublishedStamps;

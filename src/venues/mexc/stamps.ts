import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'the field is named settleTime; recorded 2021-01',
    confidence: 'high',
  },
  price: {
    means: 'begin',
    evidence:
      'open time of a candle, of which the open is read: the price at exactly that instant (documentation)',
    confidence: 'high',
  },
} satisfies PublishedStamps;

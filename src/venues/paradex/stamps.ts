import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'instant',
    evidence: 'the rate in force at that moment: funding accrues continuously (documents)',
    confidence: 'high',
  },
  price: {
    means: 'begin',
    evidence:
      'open time of a candle, of which the open is read: the price at exactly that instant (documents)',
    confidence: 'medium',
  },
} satisfies PublishedStamps;

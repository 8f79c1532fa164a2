import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence:
      'effectiveAt and effectiveAtHeight of the block that paid, up to a second after the hour; recorded 2025-12',
    confidence: 'high',
  },
  openInterest: {
    means: 'begin',
    evidence:
      'startedAt of a candle, of which startingOpenInterest is read: the amount at that instant; recorded 2025-12',
    confidence: 'high',
  },
} satisfies PublishedStamps;

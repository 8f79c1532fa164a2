import type { PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
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

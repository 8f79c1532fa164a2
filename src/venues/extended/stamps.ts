import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2026-04: a second after the hour',
    confidence: 'high',
  },
  price: {
    means: 'begin',
    evidence:
      'open time of a candle, of which the open is read: the price at exactly that instant (recorded 2026-04)',
    confidence: 'high',
  },
  openInterest: {
    means: 'unknown',
    evidence: 'one recorded row on a full hour; documents do not say which instant of the interval it is of',
    confidence: 'low',
  },
} satisfies PublishedStamps;

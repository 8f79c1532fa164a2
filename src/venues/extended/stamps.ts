import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2026-04: a second after the hour',
    confidence: 'high',
  },
  price: candleOpen('recorded 2026-04', 'high'),
  openInterest: {
    means: 'unknown',
    evidence: 'one recorded row on a full hour; documents do not say which instant of the interval it is of',
    confidence: 'low',
  },
} satisfies PublishedStamps;

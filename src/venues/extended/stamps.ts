import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
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

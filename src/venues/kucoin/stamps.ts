import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'unknown',
    evidence:
      'timepoint is the settlement in the history of an account, and the start of the interval in the live call; no answer was found that tells which it is here',
    confidence: 'low',
  },
  price: candleOpen('documents', 'medium'),
  openInterest: {
    means: 'unknown',
    evidence: 'recorded 2025-12; documents do not say which instant of the interval it is of',
    confidence: 'low',
  },
} satisfies PublishedStamps;

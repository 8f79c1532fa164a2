import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2025-08: 0 to 15 ms after settlements, with the mark that was paid on',
    confidence: 'high',
  },
  price: candleOpen('recorded 2025-09', 'high'),
  openInterest: {
    means: 'instant',
    evidence:
      'recorded 2025-09-15 at 11:00: of period=1h the newest row is of the last full hour, which no sum over a later hour can be',
    confidence: 'medium',
  },
  volume: {
    means: 'begin',
    evidence: 'open time of a candle (documentation)',
    confidence: 'high',
  },
} satisfies PublishedStamps;

import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2023-09: the newest row lies before the answer; documents: settlement time',
    confidence: 'medium',
  },
  price: candleOpen('recorded 2023-09', 'high'),
} satisfies PublishedStamps;

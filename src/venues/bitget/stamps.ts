import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2023-09: the newest row lies before the answer; documents: settlement time',
    confidence: 'medium',
  },
  price: candleOpen('recorded 2023-09', 'high'),
} satisfies PublishedStamps;

import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'the field is named settleTime; recorded 2021-01',
    confidence: 'high',
  },
  price: candleOpen('documentation', 'high'),
} satisfies PublishedStamps;

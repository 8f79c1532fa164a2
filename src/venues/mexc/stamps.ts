import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'the field is named settleTime; recorded 2021-01',
    confidence: 'high',
  },
  price: candleOpen('documentation', 'high'),
} satisfies PublishedStamps;

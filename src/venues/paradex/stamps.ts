import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'instant',
    evidence: 'the rate in force at that moment: funding accrues continuously (documents)',
    confidence: 'high',
  },
  price: candleOpen('documents', 'medium'),
} satisfies PublishedStamps;

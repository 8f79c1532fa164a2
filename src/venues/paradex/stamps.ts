import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'instant',
    evidence: 'the rate in force at that moment: funding accrues continuously (documents)',
    confidence: 'high',
  },
  price: candleOpen('documents', 'medium'),
} satisfies PublishedStamps;

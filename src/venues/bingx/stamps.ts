import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2023-12: on the grid of settlements; documents: time of the funding',
    confidence: 'medium',
  },
  price: candleOpen('recorded 2024-01', 'high'),
} satisfies PublishedStamps;

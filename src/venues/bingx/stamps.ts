import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2023-12: on the grid of settlements; documents: time of the funding',
    confidence: 'medium',
  },
  price: candleOpen('recorded 2024-01', 'high'),
} satisfies PublishedStamps;

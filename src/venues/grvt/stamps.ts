import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence:
      'documents: time at which the rate was paid; by the minute, and observed, before; recorded 2025-10',
    confidence: 'medium',
  },
  price: {
    means: 'begin',
    evidence: 'open_time of a candle, of which the open is read (recorded)',
    confidence: 'high',
  },
} satisfies PublishedStamps;

import type { PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
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

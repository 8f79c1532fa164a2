import type { PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence:
      'a market settles on the hour; the socket stamps the rate that was paid last with the hour just past (recorded 2026-04 at 14:07: 14:00)',
    confidence: 'medium',
  },
} satisfies PublishedStamps;

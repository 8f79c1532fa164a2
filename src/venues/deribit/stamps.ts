import type { PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'end',
    evidence:
      'interest_1h stands beside index_price and prev_index_price, the index at the end and at the start of the hour (documents)',
    confidence: 'high',
  },
} satisfies PublishedStamps;

import type { PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence:
      'measured 2026-09: some seconds after the hour; the row states the rate of that hour as next_funding_rate',
    confidence: 'medium',
  },
  price: {
    means: 'begin',
    evidence: 't of a candle, of which the open is read (documentation)',
    confidence: 'medium',
  },
} satisfies PublishedStamps;

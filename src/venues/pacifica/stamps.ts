import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
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

import type { PublishedStamp, PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'begin',
    evidence:
      'OpenAPI of v3: a candle of the rate, stamped with the start of the hour, of which the close is read',
    confidence: 'medium',
  },
} satisfies PublishedStamps;

/** Of rows that are no candles, by which older recordings are read. */
export const FORMER_STAMP: PublishedStamp = {
  means: 'unknown',
  evidence: 'recorded 2025-01 on a full hour; which end of it is not said',
  confidence: 'low',
};

import type { PublishedStamp, PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
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

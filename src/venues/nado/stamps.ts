import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'unknown',
    evidence: 'by one client: realised hourly rates on full hours; which end of the hour is not said',
    confidence: 'low',
  },
} satisfies PublishedStamps;

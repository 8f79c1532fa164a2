import type { PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'unknown',
    evidence: 'by one client: realised hourly rates on full hours; which end of the hour is not said',
    confidence: 'low',
  },
} satisfies PublishedStamps;

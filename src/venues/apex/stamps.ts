import type { PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence:
      'documents name it the time of the funding fee; a rate predicted one minute before 23:00 stands at 23:00',
    confidence: 'medium',
  },
} satisfies PublishedStamps;

import type { PublishedStamps } from '../../domain/stamp.ts';

/** What the stamps of rows of the past mark. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence:
      'documents name it the time of the funding fee; a rate predicted one minute before 23:00 stands at 23:00',
    confidence: 'medium',
  },
} satisfies PublishedStamps;

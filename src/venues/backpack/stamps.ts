import type { PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'end',
    evidence:
      'the field is named intervalEndTimestamp; recorded 2026-09; the running interval is the first row, with an end in the future',
    confidence: 'high',
  },
  price: {
    means: 'begin',
    evidence: '`start` of a candle, of which the open is read (documents)',
    confidence: 'medium',
  },
} satisfies PublishedStamps;

import type { PublishedStamps } from '../../domain/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'probed: up to two seconds after settlements (1789430401 for 00:00)',
    confidence: 'high',
  },
  price: {
    means: 'begin',
    evidence: 't of a candle, of which the open is read (documentation)',
    confidence: 'high',
  },
  openInterest: {
    means: 'instant',
    evidence: 'a push of 2025-03 for 10:41:00 was sent at 10:41:13, when its minute had only begun',
    confidence: 'medium',
  },
} satisfies PublishedStamps;

import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'begin',
    evidence:
      'support: the time of the period to which the rate applies; docs.kraken.com: the first row of PF_XBTUSD (2022-03-22T16:00, not zero) is of the first whole period after its opening at 13:18, since a rate is made in the period before it',
    confidence: 'high',
  },
  price: candleOpen('recorded 2024-11', 'high'),
  openInterest: {
    means: 'begin',
    evidence:
      'answers of 2026-10: each open is the close before, and the open is read: the amount at that instant',
    confidence: 'medium',
  },
} satisfies PublishedStamps;

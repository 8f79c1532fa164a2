import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence:
      'the live call gives the same name to the settlement that comes (recorded 2026-06-12 at 03:35: 08:00)',
    confidence: 'medium',
  },
  price: candleOpen('recorded 2021-01', 'high'),
  openInterest: {
    means: 'unknown',
    evidence:
      'recorded 2022-03 at 15:55: the newest hourly row is of 15:00, which is a snapshot then or a bucket that runs',
    confidence: 'low',
  },
} satisfies PublishedStamps;

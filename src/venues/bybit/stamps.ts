import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence:
      'recorded 2022-12-26 at 10:51: the newest row is of the settlement of 08:00, and the ticker names the same stamp as next until then',
    confidence: 'high',
  },
  price: candleOpen('documentation', 'high'),
  openInterest: {
    means: 'instant',
    evidence:
      'two answers at 08:15 and 08:17 state the same amount for 08:00 (ccxt PR 13926): a snapshot, no running bucket',
    confidence: 'medium',
  },
  volume: {
    means: 'begin',
    evidence: 'start of a candle (documentation)',
    confidence: 'high',
  },
} satisfies PublishedStamps;

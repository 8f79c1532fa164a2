import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'recorded 2025-05: on the grid of settlements, as in the dialect of Binance',
    confidence: 'medium',
  },
  price: candleOpen('documentation example', 'high'),
  volume: {
    means: 'begin',
    evidence: 'open time of a candle (documentation example)',
    confidence: 'high',
  },
  openInterest: {
    means: 'unknown',
    evidence: 'the call is named as Binance names it; no answer of this venue was found',
    confidence: 'low',
  },
} satisfies PublishedStamps;

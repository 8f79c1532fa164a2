import type { PublishedStamps } from '../../domain/stamp.ts';
import { candleOpen } from '../grammar/stamp.ts';

/** The moment that the timestamp of each kind of historical row marks. */
export const STAMPS = {
  funding: {
    means: 'payment',
    evidence: 'documentation: settlement time; realizedRate is what was charged',
    confidence: 'high',
  },
  price: candleOpen('documentation', 'high'),
  openInterest: {
    means: 'unknown',
    evidence:
      'documentation: data generation time, on the grid of the period; whether at its start or end is not said',
    confidence: 'low',
  },
  volume: {
    means: 'begin',
    evidence: 'opening time of a candle (documentation)',
    confidence: 'high',
  },
} satisfies PublishedStamps;

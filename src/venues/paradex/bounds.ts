import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'markets `max_funding_rate`, fraction per funding period, either way',
  evidence:
    'recorded 0.02 beside a period of 8; of a shorter period a bound for eight hours would be looser, never tighter',
  confidence: 'medium',
};

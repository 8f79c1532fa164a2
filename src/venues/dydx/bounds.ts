import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field:
    'perpetualMarkets: 6 x (`initialMarginFraction` - `maintenanceMarginFraction`) / 8, fraction per hour',
  evidence: 'rule of the chain: the eight-hour rate is clamped to 600 % of that difference',
  confidence: 'medium',
};

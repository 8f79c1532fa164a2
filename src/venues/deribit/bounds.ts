import type { PublishedBounds } from '../../domain/funding-bounds.ts';

/** Cap and floor of the rate, as the venue publishes them. */
export const BOUNDS: PublishedBounds = {
  field: 'rule: 0.05 for eight hours, either way, of contracts settled in USDC',
  evidence: 'documents: funding is capped at 5 % of such contracts',
  confidence: 'medium',
};

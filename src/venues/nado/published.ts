import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'archive/v2/contracts `open_interest`',
    unit: 'base',
    sides: 'two',
    evidence: 'nadohq/nado-contracts PerpEngineState: absolute sizes of both sides since 2025-12-04',
    date: '2026-03-26',
    confidence: 'medium',
  },
  volume: {
    field: 'archive/v2/contracts `quote_volume`',
    unit: 'quote',
    sides: 'one',
    evidence: 'recorded odd counts of lots in `base_volume`',
    date: '2026-05',
    confidence: 'medium',
  },
  verified: { version: 'archive v2', date: '2026-09-01', source: 'nadohq/nado-contracts, DefiLlama' },
};

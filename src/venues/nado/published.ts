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
  verified: {
    version: 'gateway v1, archive v2 on api.prod.nado.xyz',
    date: '2026-10-04',
    source:
      'dated measurement (public notes); nadohq/nado-typescript-sdk endpoints; the hosts of gateway and archive still answer',
  },
};

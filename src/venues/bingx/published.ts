import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'swap/v2/quote/openInterest `openInterest`',
    unit: 'quote',
    sides: 'unknown',
    evidence: 'a notional has no lots, and the documentation says nothing',
    date: '2026-10',
    confidence: 'low',
  },
  volume: {
    field: 'swap/v2/quote/ticker `volume`',
    unit: 'base',
    sides: 'one',
    evidence: 'public odd count of whole lots: FET 18854367',
    date: '2026-08',
    confidence: 'medium',
  },
  verified: {
    version: 'swap v2',
    date: '2026-10-10',
    source: 'record of answered calls (mannoj93-spec/jbm-desk-data)',
  },
};

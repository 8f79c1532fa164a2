import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'metaAndAssetCtxs `openInterest`',
    unit: 'base',
    sides: 'two',
    evidence:
      'public fifteen-minute record of raw BTC open interest, September and October 2026: 93 of 93 counts of lots even; DefiLlama halves it',
    date: '2026-10',
    confidence: 'high',
  },
  volume: {
    field: 'metaAndAssetCtxs `dayNtlVlm`',
    unit: 'quote',
    sides: 'one',
    evidence: 'half of the recorded `dayBaseVlm` are odd counts of lots',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'info',
    date: '2026-10-10',
    source:
      'record of answered calls (mannoj93-spec/jbm-desk-data); books of 20 levels come every five seconds since 2026-07-25',
  },
};

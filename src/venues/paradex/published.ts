import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'markets/summary `open_interest`',
    unit: 'base',
    sides: 'two',
    evidence:
      'public fifteen-minute record of raw BTC open interest, September and October 2026: 33 of 33 counts of lots even; DefiLlama halves it',
    date: '2026-10',
    confidence: 'high',
  },
  volume: {
    field: 'markets/summary `volume_24h`',
    unit: 'quote',
    sides: 'one',
    evidence: 'assumed: nothing public speaks against it',
    date: '2026-10',
    confidence: 'low',
  },
  verified: {
    version: 'v1, sockets in SBE 1:1',
    date: '2026-10-10',
    source:
      'record of answered calls (mannoj93-spec/jbm-desk-data); docs.paradex.trade: binary frames since 2026-09-21',
  },
};

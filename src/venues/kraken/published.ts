import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'derivatives/api/v3/tickers `openInterest`',
    unit: 'base',
    sides: 'one',
    evidence:
      'public fifteen-minute record of raw BTC open interest, September and October 2026: 15 of 32 counts odd; recorded PF_ENJUSD 72513',
    date: '2026-10',
    confidence: 'high',
  },
  volume: {
    field: 'derivatives/api/v3/tickers `vol24h`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd count of lots: 57204.177',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'derivatives v3, sockets v1',
    date: '2026-10-10',
    source:
      'record of answered calls (mannoj93-spec/jbm-desk-data); fee calls retired on 2026-06-22 are not read',
  },
};

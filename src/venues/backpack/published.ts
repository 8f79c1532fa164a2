import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'api/v1/openInterest `openInterest`',
    unit: 'base',
    sides: 'two',
    evidence:
      'public fifteen-minute record of raw BTC open interest, September and October 2026: 31 of 31 counts of lots even',
    date: '2026-10',
    confidence: 'high',
  },
  volume: {
    field: 'api/v1/tickers `volume`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd count of lots: 1801.83549',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'v1',
    date: '2026-10-10',
    source: 'record of answered calls (mannoj93-spec/jbm-desk-data)',
  },
};

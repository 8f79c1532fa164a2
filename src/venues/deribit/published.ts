import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'get_book_summary_by_currency `open_interest`',
    unit: 'base',
    sides: 'one',
    evidence:
      'public fifteen-minute record of raw BTC open interest, September and October 2026: 19 of 32 counts odd; recorded 459.3409',
    date: '2026-10',
    confidence: 'high',
  },
  volume: {
    field: 'get_book_summary_by_currency `volume`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd count: 66104025 lots of 10 USD of BTC-PERPETUAL in `volume_usd`',
    date: '2025-11',
    confidence: 'high',
  },
  verified: {
    version: 'v2',
    date: '2026-10-10',
    source: 'record of answered calls (mannoj93-spec/jbm-desk-data)',
  },
};

import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'public/open-interest `oi`',
    unit: 'contracts',
    sides: 'one',
    evidence:
      'public fifteen-minute record of raw BTC open interest, September and October 2026: 13 of 34 counts odd',
    date: '2026-10',
    confidence: 'high',
  },
  volume: {
    field: 'market/tickers `vol24h`',
    unit: 'contracts',
    sides: 'one',
    evidence: 'recorded odd count: 289425 contracts of UNI-USD-SWAP',
    date: '2022-05',
    confidence: 'high',
  },
  verified: {
    version: 'v5',
    date: '2026-10-10',
    source:
      'record of answered calls (mannoj93-spec/jbm-desk-data); changelog of 2026-05-20 keeps www.okx.com',
  },
};

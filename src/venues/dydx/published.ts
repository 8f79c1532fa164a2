import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'perpetualMarkets `openInterest`',
    unit: 'base',
    sides: 'one',
    evidence: 'dydxprotocol/v4-chain indexer: sum of long positions',
    date: '2026-10',
    confidence: 'high',
  },
  volume: {
    field: 'perpetualMarkets `volume24H`',
    unit: 'quote',
    sides: 'one',
    evidence: 'dydxprotocol/v4-chain indexer: taker fills',
    date: '2026-09',
    confidence: 'high',
  },
  verified: {
    version: 'indexer v4',
    date: '2026-10-10',
    source: 'record of answered calls (mannoj93-spec/jbm-desk-data)',
  },
};

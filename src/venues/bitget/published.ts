import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'v2/mix/market/tickers `holdingAmount`',
    unit: 'base',
    sides: 'unknown',
    evidence:
      'documentation says total positions only; public fifteen-minute record of raw BTC open interest, September and October 2026: USDT contract mixed, USDC contract 29 of 31 odd',
    date: '2026-10',
    confidence: 'low',
  },
  volume: {
    field: 'v2/mix/market/tickers `baseVolume`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd count of lots: 79089.5675',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'v2, sockets v3',
    date: '2026-10-10',
    source:
      'record of answered calls (mannoj93-spec/jbm-desk-data); probe of 2026-09-15 (nemanull/arbitrage-observatory): classic accounts are in maintenance, market data of v2 goes on',
  },
};

import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'public/get-tickers `oi`',
    unit: 'base',
    sides: 'one',
    evidence: 'public odd count of lots: 10888.9',
    date: '2026-05',
    confidence: 'medium',
  },
  volume: {
    field: 'public/get-tickers `v`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd counts of lots',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'exchange v1',
    date: '2026-09-25',
    source: 'ccxt 4.5.84; probe of 2026-09-22 (nemanull/arbitrage-observatory)',
  },
};

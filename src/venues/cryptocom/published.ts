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
    sides: 'unknown',
    evidence:
      'all four public counts of lots are even (8195.0690, 1305697.6462, 1109.8, 879.5024): too few to tell',
    date: '2025-06',
    confidence: 'low',
  },
  verified: {
    version: 'exchange v1',
    date: '2026-09-25',
    source: 'ccxt 4.5.84; probe of 2026-09-22 (nemanull/arbitrage-observatory)',
  },
};

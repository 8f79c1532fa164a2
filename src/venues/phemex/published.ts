import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'md/v3/ticker/24hr/all `openInterestRv`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd counts of lots: 6880.97, 96.3639',
    date: '2026-05',
    confidence: 'medium',
  },
  volume: {
    field: 'md/v3/ticker/24hr/all `volumeRq`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd count of lots: 1183.2525',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'md v3, book v2',
    date: '2026-09-25',
    source: 'ccxt 4.5.84; probe of 2026-09-23 (nemanull/arbitrage-observatory)',
  },
};

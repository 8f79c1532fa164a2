import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'info/markets `openInterestBase`',
    unit: 'base',
    sides: 'unknown',
    evidence: 'every public count of lots is even, too few to settle it',
    date: '2026-09-28',
    confidence: 'low',
  },
  volume: {
    field: 'info/markets `dailyVolume`',
    unit: 'quote',
    sides: 'two',
    evidence:
      'DefiLlama checked trades and found maker and taker both counted; public base volumes are even counts of lots',
    date: '2026-07-14',
    confidence: 'medium',
  },
  verified: {
    version: 'v1 on Starknet',
    date: '2026-09-28',
    source: 'public decoder tests with rows of that day; ccxt 4.5.84',
  },
};

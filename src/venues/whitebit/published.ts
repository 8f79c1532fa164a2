import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'v4/public/futures `open_interest`',
    unit: 'base',
    sides: 'unknown',
    evidence: 'too few public values to tell',
    date: '2026-10',
    confidence: 'low',
  },
  volume: {
    field: 'v4/public/futures `stock_volume`',
    unit: 'base',
    sides: 'one',
    evidence: 'odd count of lots in the documents: 196965.591 BTC',
    date: '2026-05',
    confidence: 'medium',
  },
  verified: {
    version: 'v4, host wss.whitebit.com',
    date: '2026-09-22',
    source:
      'probe (nemanull/arbitrage-observatory); whitebit-exchange/docs: the older socket host closes on 2027-03-01',
  },
};

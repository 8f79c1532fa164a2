import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'contracts `open_interest`',
    unit: 'contracts',
    sides: 'unknown',
    evidence: 'where the sides are known from',
    date: '2026-11',
    confidence: 'low',
  },
  volume: {
    field: 'tickers `volume`',
    unit: 'contracts',
    sides: 'unknown',
    evidence: 'where the sides are known from',
    date: '2026-11',
    confidence: 'low',
  },
  verified: { version: 'v1', date: '2026-11-22', source: 'where the address is known from' },
};

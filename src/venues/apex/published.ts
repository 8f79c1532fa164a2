import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'v3/ticker `openInterest`',
    unit: 'base',
    sides: 'unknown',
    evidence: 'too few public values to tell',
    date: '2026-10',
    confidence: 'low',
  },
  volume: {
    field: 'v3/ticker `turnover24h`',
    unit: 'quote',
    sides: 'one',
    evidence: 'recorded odd count of lots in `volume24h`: 169.317',
    date: '2026-05',
    confidence: 'medium',
  },
  verified: {
    version: 'omni v3',
    date: '2026-09-28',
    source: 'public decoder tests with frames of that day; ccxt 4.5.84',
  },
};

import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'fapi/v3/openInterest `openInterest`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd count of lots: 6196.323; the website shows twice the API',
    date: '2026-09',
    confidence: 'high',
  },
  volume: {
    field: 'fapi/v3/ticker/24hr `volume`',
    unit: 'base',
    sides: 'one',
    evidence: 'public odd count of whole lots: CAKE 15775',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'fapi v3',
    date: '2026-09-25',
    source: 'ccxt 4.5.84; asterdex/api-docs changelog to 2026-06-30',
  },
};

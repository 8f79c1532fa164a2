import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'info/prices `open_interest`',
    unit: 'base',
    sides: 'two',
    evidence: 'DefiLlama measured it and halves it; public counts of lots even',
    date: '2026-09',
    confidence: 'high',
  },
  volume: {
    field: 'info/prices `volume_24h`',
    unit: 'quote',
    sides: 'two',
    evidence: 'DefiLlama halves it',
    date: '2026-09',
    confidence: 'high',
  },
  verified: {
    version: 'v1',
    date: '2026-09-28',
    source: 'public decoder tests with frames of that day; ccxt 4.5.84',
  },
};

import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'getTicker `openInterest`',
    unit: 'base',
    sides: 'one',
    evidence: 'public odd count of lots: 663.83 NVDA',
    date: '2026-09-28',
    confidence: 'medium',
  },
  volume: {
    field: 'getTicker `value`',
    unit: 'quote',
    sides: 'one',
    evidence: 'public odd count of lots in `size`: 2309.03',
    date: '2026-09-28',
    confidence: 'medium',
  },
  verified: {
    version: 'V2 hosts',
    date: '2026-09-28',
    source: 'public decoder tests with rows and frames of that day; edgex-python-sdk, DefiLlama',
  },
};

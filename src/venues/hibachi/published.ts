import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'market/data/open-interest `totalQuantity`',
    unit: 'base',
    sides: 'unknown',
    evidence: 'too few public values to tell',
    date: '2026-10',
    confidence: 'low',
  },
  volume: {
    field: 'market/data/stats `volume24h`',
    unit: 'quote',
    sides: 'unknown',
    evidence:
      'unit: hibachi-xyz/hibachi_sdk example (1485054.567 beside an open interest of 2.1586 BTC); sides: nothing public',
    date: '2026-09',
    confidence: 'low',
  },
  verified: {
    version: 'market/data',
    date: '2026-09-25',
    source: 'ccxt 4.5.84; hibachi-xyz/hibachi_sdk',
  },
};

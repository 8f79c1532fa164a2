import type { Published } from '../../domain/amount.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'linear-swap-api/v1/swap_open_interest `volume`',
    unit: 'contracts',
    sides: 'unknown',
    evidence:
      'documented as the sum of buys and sells; public fifteen-minute record of raw BTC open interest, September and October 2026: 17 of 33 counts odd speak against it',
    date: '2026-10',
    confidence: 'low',
  },
  volume: {
    field: 'linear-swap-api/v1/swap_open_interest `trade_volume`',
    unit: 'contracts',
    sides: 'two',
    evidence:
      'documented as buys plus sells; DefiLlama dimension-adapters and coingecko/cryptoexchange halve it; every recorded count is even',
    date: '2026-09-10',
    confidence: 'high',
  },
  verified: {
    version: 'linear-swap-api v1 and v5',
    date: '2026-10-10',
    source:
      'record of answered calls (mannoj93-spec/jbm-desk-data); only private calls of v1 closed by 2026-09-19',
  },
};

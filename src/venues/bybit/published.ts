import type { Published, PublishedAmount } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'v5/market/tickers `openInterest`',
    unit: 'base',
    sides: 'two',
    evidence:
      'v5 documentation of tickers: `openInterest` is both sides, `singleOpenInterest` (since 2026-06-11) one, which is read where it is stated',
    date: '2026-07-24',
    confidence: 'high',
  },
  volume: {
    field: 'v5/market/tickers `volume24h`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd counts of lots: 98430.105, 73191.387',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'v5',
    date: '2026-09-25',
    source: 'ccxt 4.5.84; bybit-exchange/docs changelog to 2026-07-24 retires nothing that is read',
  },
};

/** `singleOpenInterest` and its value, stated since 2026-06-11: each contract once. */
export const SINGLE_OPEN_INTEREST: PublishedAmount = { ...PUBLISHED.openInterest, sides: 'one' };

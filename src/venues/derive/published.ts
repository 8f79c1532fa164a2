import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'get_tickers `stats.oi`',
    unit: 'base',
    sides: 'two',
    evidence: 'DefiLlama: `get_ticker` of the older version is twice the one-sided `all_statistics`',
    date: '2026-10',
    confidence: 'medium',
  },
  volume: {
    field: 'get_tickers `stats.v`',
    unit: 'quote',
    sides: 'one',
    evidence: 'recorded odd count of lots in `stats.c`: 3088.047',
    date: '2026-05',
    confidence: 'medium',
  },
  verified: { version: 'v3', date: '2026-10-06', source: 'docs.derive.xyz, DefiLlama' },
};

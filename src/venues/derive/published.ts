import type { Published, PublishedAmount } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'get_tickers `stats.oi`',
    unit: 'base',
    sides: 'one',
    evidence:
      'agrees with `get_all_currencies` `perp.universes[].oi` (291.023 and 291.309 BTC, answers of v3 in ccxt), which DefiLlama takes for one side',
    date: '2026-10-03',
    confidence: 'medium',
  },
  volume: {
    field: 'get_tickers `stats.v`',
    unit: 'quote',
    sides: 'one',
    evidence: 'odd counts of lots in `stats.c`: 1.797 in v3, 3088.047 before it',
    date: '2026-10-03',
    confidence: 'medium',
  },
  verified: { version: 'v3', date: '2026-10-06', source: 'docs.derive.xyz, DefiLlama, ccxt' },
};

/** What the tickers with long names counted, before v3. */
export const BEFORE_V3: { readonly openInterest: PublishedAmount } = {
  openInterest: {
    field: 'get_ticker `stats.open_interest`',
    unit: 'base',
    sides: 'two',
    evidence:
      'DefiLlama: twice the one-sided `all_statistics`; the perpetual contract of v2-core adds up absolute positions alone',
    date: '2026-10',
    confidence: 'medium',
  },
};

import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'market_stats `open_interest`',
    unit: 'quote',
    sides: 'one',
    evidence:
      'the website shows twice the API; DefiLlama took a doubling back after 28 windows at exactly the traded size',
    date: '2026-10-04',
    confidence: 'high',
  },
  volume: {
    field: 'market_stats `daily_quote_token_volume`',
    unit: 'quote',
    sides: 'one',
    evidence: 'recorded odd counts of lots in `daily_base_token_volume`',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'v1',
    date: '2026-10-04',
    source:
      'dated comparison of funding rates against other venues (public notes); api.rh.lighter.xyz is another venue',
  },
};

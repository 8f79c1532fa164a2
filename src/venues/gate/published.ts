import type { Published, PublishedAmount } from '../../domain/amount.ts';

/** Open interest of `contract_stats`, and `total_size` of tickers: neither is documented to count as `position_size`. */
export const STATS_OPEN_INTEREST: PublishedAmount = {
  field: 'futures/usdt/contract_stats `open_interest`',
  unit: 'contracts',
  sides: 'unknown',
  evidence: 'a reader found twice `position_size` in September 2026; odd counts of 2022 speak against it',
  date: '2026-09-30',
  confidence: 'low',
};

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'futures/usdt/contracts `position_size`',
    unit: 'contracts',
    sides: 'one',
    evidence: 'SDK documentation: total long position size',
    date: '2026-09-30',
    confidence: 'high',
  },
  historicalOpenInterest: STATS_OPEN_INTEREST,
  volume: {
    field: 'futures/usdt/tickers `volume_24h`',
    unit: 'contracts',
    sides: 'one',
    evidence: 'recorded odd counts',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'v4',
    date: '2026-10-10',
    source: 'record of answered calls (mannoj93-spec/jbm-desk-data)',
  },
};

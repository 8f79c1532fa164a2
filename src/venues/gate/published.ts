import type { Published } from '../../domain/amount.ts';

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
  pastOpenInterest: {
    field: 'futures/usdt/contract_stats `open_interest`',
    unit: 'contracts',
    sides: 'unknown',
    evidence: 'a reader found twice `position_size` in September 2026; odd counts of 2022 speak against it',
    date: '2026-09-30',
    confidence: 'low',
  },
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

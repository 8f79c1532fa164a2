import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'ua/v2/market/open-interest `openInterest`',
    unit: 'contracts',
    sides: 'one',
    evidence:
      '10 of 14 different counts in the documentation of its history odd (December 2025); the classic call: 7 of 15, September and October 2026',
    date: '2026-10',
    confidence: 'medium',
  },
  volume: {
    field: 'contracts/active `volumeOf24h`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd counts of lots: 25408.111, 12069.225',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'futures v1, interest and past ua v2',
    date: '2026-10-10',
    source:
      'record of answered calls (mannoj93-spec/jbm-desk-data); sieblyio/kucoin-api PR 164 (ua v2); classic in maintenance since 2026-06-03',
  },
};

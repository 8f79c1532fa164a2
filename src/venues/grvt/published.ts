import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'full/v1/ticker `open_interest`',
    unit: 'base',
    sides: 'unknown',
    evidence: 'too few public values to tell',
    date: '2026-10',
    confidence: 'low',
  },
  volume: {
    field: 'full/v1/ticker `buy_volume_24h_q` + `sell_volume_24h_q`',
    unit: 'quote',
    sides: 'one',
    evidence: 'gravity-technologies/api-spec: taker buys and taker sells',
    date: '2026-09',
    confidence: 'high',
  },
  verified: {
    version: 'full v1',
    date: '2026-09-28',
    source: 'public decoder tests with frames of that day; gravity-technologies/api-spec of 2026-05-13',
  },
};

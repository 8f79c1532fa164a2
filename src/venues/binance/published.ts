import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'fapi/v1/openInterest `openInterest`',
    unit: 'base',
    sides: 'one',
    evidence:
      "statement of the venue's account of July 2025; public fifteen-minute record of raw BTC open interest, September and October 2026: 15 of 31 counts of lots odd",
    date: '2026-10',
    confidence: 'high',
  },
  volume: {
    field: 'fapi/v1/ticker/24hr `volume`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd count of lots: 105892.131 BTC',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'fapi v1, routed sockets',
    date: '2026-10-10',
    source:
      "record of answered calls (mannoj93-spec/jbm-desk-data); the venue's notice on routed stream paths, in force since 2026-04-23",
  },
};

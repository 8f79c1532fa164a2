import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'contract/ticker `holdVol`',
    unit: 'contracts',
    sides: 'one',
    evidence: 'recorded odd count: 95479623',
    date: '2026-05',
    confidence: 'medium',
  },
  volume: {
    field: 'contract/ticker `volume24`',
    unit: 'contracts',
    sides: 'one',
    evidence:
      'public odd count: 311051901 contracts of BTC_USDT; a help page of the venue speaks of buys and sells together',
    date: '2026-10',
    confidence: 'high',
  },
  verified: {
    version: 'contract v1 on api.mexc.com',
    date: '2026-09-25',
    source: 'ccxt 4.5.84; futures REST moved on 2026-01-19',
  },
};

import type { Published } from '../../domain/amount.ts';

/** What the venue publishes, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'v1/public/futures `open_interest`',
    unit: 'base',
    sides: 'one',
    evidence:
      "OrderlyNetwork/js-sdk describes open interest as each side's size and shows this field x index without a factor",
    date: '2026-08-21',
    confidence: 'high',
  },
  volume: {
    field: 'v1/public/futures `24h_amount`',
    unit: 'quote',
    sides: 'one',
    evidence: 'assumed: nothing public speaks against it',
    date: '2026-10',
    confidence: 'low',
  },
  verified: {
    version: 'v1, host ws-evm.orderly.org',
    date: '2026-09-23',
    source:
      'probe (nemanull/arbitrage-observatory, profiles/niza); OrderlyNetwork/documentation-public of 2026-08-21',
  },
};

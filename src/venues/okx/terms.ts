import { end, inBase, inContracts, inQuote, leverage, type TermsTable, tick } from '../grammar/terms.ts';

/**
 * Terms of contracts, as the list states them; margins by tier are in a call per contract, which is not made. The limit of an
 * account follows the open interest and is no figure of the list.
 */
export const TERMS: TermsTable = {
  call: 'v5/public/instruments',
  evidence:
    'recorded 2025 of swaps; v5 documentation "Get instruments" of 2026-07: `maxPlatOILmt` (USD) and `maxPlatOICoinLmt` (coins, since 2026-05-19) are the open interest from which nobody opens a position, empty where there is none; an account may hold the larger of `posLmtAmt` (250,000 USD on BTC, recorded 2026-08) and `posLmtPct` percent of the open interest, so that neither is a limit by itself and neither is read; `expTime` of a swap is when it goes offline',
  confidence: 'high',
  fields: {
    tick: tick('tickSz'),
    lot: inContracts('lotSz'),
    minSize: inContracts('minSz'),
    maxLeverage: leverage('lever'),
    openInterestLimit: inBase('maxPlatOICoinLmt'),
    openInterestLimitUsd: inQuote('maxPlatOILmt'),
    delistsAt: end('expTime'),
  },
};

import { end, inContracts, inQuote, leverage, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them; margins by tier are in a call per contract, which is not made. */
export const TERMS: TermsTable = {
  call: 'v5/public/instruments',
  evidence:
    'recorded 2025 of swaps; v5 documentation "Get instruments": `posLmtAmt` is the largest position of a user and `maxPlatOILmt` that of the platform, USD; `expTime` of a swap is when it goes offline',
  confidence: 'high',
  fields: {
    tick: tick('tickSz'),
    lot: inContracts('lotSz'),
    minSize: inContracts('minSz'),
    maxLeverage: leverage('lever'),
    positionLimitUsd: inQuote('posLmtAmt'),
    openInterestLimitUsd: inQuote('maxPlatOILmt'),
    delistsAt: end('expTime'),
  },
};

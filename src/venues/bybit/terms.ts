import { end, inBase, inQuote, leverage, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them; margins by size are in a call per contract, which is not made. */
export const TERMS: TermsTable = {
  call: 'v5/market/instruments-info',
  evidence:
    'recorded 2025-01; v5 documentation "Get Instruments Info": `deliveryTime` (ms) is the delisting time of a perpetual, 0 without one; freqtrade reads its delistings from it',
  confidence: 'high',
  fields: {
    tick: tick('priceFilter.tickSize'),
    lot: inBase('lotSizeFilter.qtyStep'),
    minSize: inBase('lotSizeFilter.minOrderQty'),
    minNotionalUsd: inQuote('lotSizeFilter.minNotionalValue'),
    maxLeverage: leverage('leverageFilter.maxLeverage'),
    delistsAt: end('deliveryTime'),
  },
};

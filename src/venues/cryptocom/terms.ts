import { inContracts, leverage, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them; margin rates by asset are in `get-risk-parameters`, which is not asked. */
export const TERMS: TermsTable = {
  call: 'public/get-instruments',
  evidence:
    'recorded rows; documentation "public/get-instruments": `qty_tick_size` is the smallest quantity and its step; `expiry_timestamp_ms` is 0 on recorded perpetuals and a past time in the documented one, so no end is read',
  confidence: 'high',
  fields: {
    tick: tick('price_tick_size'),
    lot: inContracts('qty_tick_size'),
    minSize: inContracts('qty_tick_size'),
    maxLeverage: leverage('max_leverage'),
  },
};

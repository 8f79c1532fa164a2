import { TERM_FIELDS } from '../binance-fapi/terms.ts';
import type { TermsTable } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them; leverage and margins are in a call that needs a key. */
export const TERMS: TermsTable = {
  call: 'fapi/v3/exchangeInfo',
  evidence:
    'asterdex/api-docs V3 of 2026-06-30, "Exchange Information" and its filters: `pricePrecision` and `quantityPrecision` are no steps, the margin percents are to be ignored, MIN_NOTIONAL is price times quantity; a perpetual without an end has a deliveryDate of 2100-12-25',
  confidence: 'high',
  fields: TERM_FIELDS,
};

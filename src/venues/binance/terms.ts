import { TERM_FIELDS } from '../binance-fapi/terms.ts';
import type { TermsTable } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them; leverage and margins are in a call that needs a key. */
export const TERMS: TermsTable = {
  call: 'fapi/v1/exchangeInfo',
  evidence:
    'recorded 2025-09 of 578 rows; documentation "Exchange Information", which has the margin percents as void; a perpetual without an end has a deliveryDate of 2100-12-25',
  confidence: 'high',
  fields: TERM_FIELDS,
};

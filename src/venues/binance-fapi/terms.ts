import { end, inBase, inQuote, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms as all venues of the family state them; `maintMarginPercent` and `requiredMarginPercent` are documented as void. */
export const TERM_FIELDS = {
  tick: tick('filters[filterType=PRICE_FILTER].tickSize'),
  lot: inBase('filters[filterType=LOT_SIZE].stepSize'),
  minSize: inBase('filters[filterType=LOT_SIZE].minQty'),
  minNotionalUsd: inQuote('filters[filterType=MIN_NOTIONAL].notional'),
  delistsAt: end('deliveryDate'),
} satisfies TermsTable['fields'];

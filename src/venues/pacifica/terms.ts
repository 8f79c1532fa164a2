import { inBase, inQuote, leverage, oneOver, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms of contracts, as the list and the rules of the venue state them, at the largest leverage. */
export const TERMS: TermsTable = {
  call: 'info',
  evidence:
    'recorded 2026-04; documentation "Market Specifications": the initial margin is 1 / leverage, the maintenance margin half of it, and steps of sizes count the base asset; `min_order_size` is in USD ("Get market info", ccxt)',
  confidence: 'high',
  fields: {
    tick: tick('tick_size'),
    lot: inBase('lot_size'),
    minNotionalUsd: inQuote('min_order_size'),
    maxLeverage: leverage('max_leverage'),
    initialMargin: oneOver('max_leverage'),
    maintenanceMargin: oneOver('max_leverage', 0.5),
  },
};

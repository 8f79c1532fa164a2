import {
  baseDecimals,
  inBase,
  inQuote,
  leverageOfMargin,
  margin,
  priceDecimals,
  type TermsTable,
} from '../grammar/terms.ts';

/** Margins are counted in parts of 10,000. */
const PARTS = 1e-4;

/** Terms of contracts, as the list states them; a limit of open interest stands in the stream alone. */
export const TERMS: TermsTable = {
  call: 'v1/orderBookDetails',
  evidence:
    'recorded 2026-04: `min_initial_margin_fraction` 200, `maintenance_margin_fraction` 120 of a market that the venue names with 50 times and 1.2 %; ccxt for the decimals',
  confidence: 'high',
  fields: {
    tick: priceDecimals('price_decimals'),
    lot: baseDecimals('size_decimals'),
    minSize: inBase('min_base_amount'),
    minNotionalUsd: inQuote('min_quote_amount'),
    maxLeverage: leverageOfMargin('min_initial_margin_fraction', PARTS),
    initialMargin: margin('min_initial_margin_fraction', PARTS),
    maintenanceMargin: margin('maintenance_margin_fraction', PARTS),
  },
};

import { inContracts, inQuote, leverage, margin, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them. */
export const TERMS: TermsTable = {
  call: 'api/instruments',
  evidence: 'invented',
  confidence: 'high',
  fields: {
    tick: tick('priceStep'),
    lot: inContracts('sizeStep'),
    minSize: inContracts('minSize'),
    minNotionalUsd: inQuote('minValue'),
    maxLeverage: leverage('maxLeverage'),
    maintenanceMargin: margin('maintenanceMarginPercent', 0.01),
  },
};

import { inBase, leverageOfMargin, margin, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them. */
export const TERMS: TermsTable = {
  call: 'v4/perpetualMarkets',
  evidence:
    'recorded perpetualMarkets; documentation of v4: the smallest order is one step, the largest leverage 1 / initial margin. `openInterestUpperCap` raises the margin and limits nothing',
  confidence: 'high',
  fields: {
    tick: tick('tickSize'),
    lot: inBase('stepSize'),
    minSize: inBase('stepSize'),
    maxLeverage: leverageOfMargin('initialMarginFraction'),
    initialMargin: margin('initialMarginFraction'),
    maintenanceMargin: margin('maintenanceMarginFraction'),
  },
};

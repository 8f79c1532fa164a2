import { inBase, margin, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them; leverage is limited by account. */
export const TERMS: TermsTable = {
  call: 'api/v1/markets',
  evidence:
    'recorded 2025; OpenAPI "Get markets"; documentation "Futures Specs": the base of a margin function is the fraction without regard to size. `openInterestLimit` is 4000 on BTC and 4000000 on SOL, which only base units explain; whether it counts long plus short, as `openInterest` does, is not said: it is stated as published, and 0 where there is none',
  confidence: 'medium',
  fields: {
    tick: tick('filters.price.tickSize'),
    lot: inBase('filters.quantity.stepSize'),
    minSize: inBase('filters.quantity.minQuantity'),
    initialMargin: margin('imfFunction.base'),
    maintenanceMargin: margin('mmfFunction.base'),
    openInterestLimit: inBase('openInterestLimit'),
  },
};

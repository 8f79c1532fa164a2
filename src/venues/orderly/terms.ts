import { inBase, inQuote, leverageOfMargin, margin, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them; the margin of larger positions grows with their value (`imr_factor`). */
export const TERMS: TermsTable = {
  call: 'v1/public/info',
  evidence:
    'recorded 2026-09 without margins; OrderlyNetwork/documentation-public of 2026-08: "Get order rules per symbol" (sizes are `base_min` and whole `base_tick` more), "Margin, Leverage & PnL" (the largest leverage is 1 / `base_imr`). `global_max_oi_cap` is not read: nothing says what it counts',
  confidence: 'high',
  fields: {
    tick: tick('quote_tick'),
    lot: inBase('base_tick'),
    minSize: inBase('base_min'),
    minNotionalUsd: inQuote('min_notional'),
    maxLeverage: leverageOfMargin('base_imr'),
    initialMargin: margin('base_imr'),
    maintenanceMargin: margin('base_mmr'),
  },
};

import { inBase, leverage, margin, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them; leverage and margin are those of the first tier of risk. */
export const TERMS: TermsTable = {
  call: 'v2/public/meta/getMetaData',
  evidence:
    'documentation "Meta Data": sizes and `maxPositionSize` count the base coin, tiers begin with the smallest position, the maintenance margin of a tier is a fraction; row of NVDAUSDC of 2026-09 in a public client’s tests. The recorded list of 2026-09-12 has one step of prices and one of sizes for all its contracts, which its recorder wrote: it proves their names and no figure',
  confidence: 'high',
  fields: {
    tick: tick('tickSize'),
    lot: inBase('stepSize'),
    minSize: inBase('minOrderSize'),
    maxLeverage: leverage('riskTierList.0.maxLeverage'),
    maintenanceMargin: margin('riskTierList.0.maintenanceMarginRate'),
    positionLimit: inBase('maxPositionSize'),
  },
};

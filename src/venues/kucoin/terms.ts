import { end, inContracts, leverage, margin, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them; `maxRiskLimit` is that of the first level, and no limit. */
export const TERMS: TermsTable = {
  call: 'v1/contracts/active',
  evidence:
    'recorded 2022-06 and 2025-03; documentation "Get All Symbols": `lotSize` is the smallest order and its step, margins are fractions',
  confidence: 'high',
  fields: {
    tick: tick('tickSize'),
    lot: inContracts('lotSize'),
    minSize: inContracts('lotSize'),
    maxLeverage: leverage('maxLeverage'),
    initialMargin: margin('initialMargin'),
    maintenanceMargin: margin('maintainMargin'),
    delistsAt: end('expireDate'),
  },
};

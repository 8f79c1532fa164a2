import { inBase, inQuote, margin, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them. */
export const TERMS: TermsTable = {
  call: 'market/exchange-info',
  evidence:
    'fixtures of hibachi-xyz/hibachi_sdk of 2026-04, ccxt; the venue documents no leverage of a contract, and does not say whether `marketCloseTimestamp` is an end or the close of hours: not read',
  confidence: 'medium',
  fields: {
    tick: tick('tickSize'),
    lot: inBase('stepSize'),
    minSize: inBase('minOrderSize'),
    minNotionalUsd: inQuote('minNotional'),
    initialMargin: margin('initialMarginRate'),
    maintenanceMargin: margin('maintenanceMarginRate'),
  },
};

import { inBase, inQuote, leverage, oneOver, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them; tiers of `riskFactorConfig` lower the leverage of larger positions. */
export const TERMS: TermsTable = {
  call: 'v1/info/markets',
  evidence:
    'recorded rows; documentation "Get markets", and "Get balance": the initial margin is the value of a position / leverage. Not read: `openInterestLimit`, 0 on all known rows and of no stated unit; `tradingHours`, which is CONTINUOUS on a contract that trades five days a week too and states no hours',
  confidence: 'high',
  fields: {
    tick: tick('tradingConfig.minPriceChange'),
    lot: inBase('tradingConfig.minOrderSizeChange'),
    minSize: inBase('tradingConfig.minOrderSize'),
    maxLeverage: leverage('tradingConfig.maxLeverage'),
    initialMargin: oneOver('tradingConfig.maxLeverage'),
    positionLimitUsd: inQuote('tradingConfig.maxPositionValue'),
  },
};

import { end, inBase, leverage, margin, type TermsTable, tick } from '../grammar/terms.ts';

/** Terms of contracts, as the list states them; `riskLimitConfig` raises the margins of larger positions. */
export const TERMS: TermsTable = {
  call: 'v3/symbols',
  evidence:
    "recorded row of BTC-USDT; rows of 2026-09 in a public client's tests (NVDA-USDT, TON-USDT), of which `deliveryTime` is in ms while `pullOffTime` and `disableOpenPositionTime` beside it are in s; ApeX's Java connector: sizes and `maxPositionSize` count the underlying currency, margins are fractions; `openPositionOiLimitRate`, a share of the open interest, can limit an account further; `maxPositionValue` is not read: nothing says whether it limits a position or the growth of its margin",
  confidence: 'high',
  fields: {
    tick: tick('tickSize'),
    lot: inBase('stepSize'),
    minSize: inBase('minOrderSize'),
    maxLeverage: leverage('displayMaxLeverage'),
    initialMargin: margin('initialMarginRate'),
    maintenanceMargin: margin('maintenanceMarginRate'),
    positionLimit: inBase('maxPositionSize'),
    delistsAt: end('deliveryTime'),
  },
};

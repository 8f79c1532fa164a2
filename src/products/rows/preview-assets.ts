/** Assets of the free preview; the market keeps their past rows. */
export const PREVIEW_ASSETS = [
  'crypto:BTC',
  'crypto:ETH',
  'crypto:SOL',
  'crypto:XRP',
  'crypto:DOGE',
] as const;

import { AT } from './answer.ts';

export const binanceRow = (symbol: string, bid: string, ask: string) => ({
  symbol,
  bidPrice: bid,
  bidQty: '2.5',
  askPrice: ask,
  askQty: '1.25',
  lastPrice: bid,
  volume: '1000',
  quoteVolume: '50000000',
  closeTime: AT,
});

export const binanceMarket = (symbol: string, baseAsset: string, quoteAsset: string, more: object = {}) => ({
  symbol,
  status: 'TRADING',
  baseAsset,
  quoteAsset,
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: true,
  filters: [
    { filterType: 'PRICE_FILTER', tickSize: '0.01' },
    { filterType: 'LOT_SIZE', stepSize: '0.001', minQty: '0.002' },
    { filterType: 'NOTIONAL', minNotional: '5' },
  ],
  ...more,
});

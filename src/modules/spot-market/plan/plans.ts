import type { PlannedCall, SpotPlan } from './spot-plan.ts';

const get = (path: string, weight?: number): PlannedCall => ({
  path,
  ...(weight !== undefined && { weight }),
});

const info = (type: string, weight: number): PlannedCall => ({
  path: '/info',
  body: JSON.stringify({ type }),
  weight,
});

const minute = (id: string, limit: number) => ({
  id,
  pools: [{ name: 'default', limit, perMs: 60_000, usedHeader: 'x-mbx-used-weight-1m' }],
});

/**
 * The calls of every spot venue. Limits and weights are those of the documents that docs/spot.md names; hosts that the
 * perpetuals share spend from their budget.
 */
export const SPOT_PLANS: readonly SpotPlan[] = [
  {
    venue: 'aster',
    host: { address: 'https://sapi.asterdex.com', budget: minute('aster-sapi', 6000) },
    list: get('/api/v3/exchangeInfo'),
    tickers: get('/api/v3/ticker/24hr', 40),
  },
  {
    venue: 'backpack',
    host: 'rest',
    list: get('/api/v1/markets?marketType=SPOT'),
    tickers: get('/api/v1/tickers'),
    borrow: { all: [get('/api/v1/borrowLend/markets')] },
  },
  {
    venue: 'binance',
    host: { address: 'https://api.binance.com', budget: minute('binance-api', 6000) },
    list: get('/api/v3/exchangeInfo', 20),
    tickers: get('/api/v3/ticker/24hr', 80),
  },
  {
    venue: 'bingx',
    host: 'rest',
    list: get('/openApi/spot/v1/common/symbols'),
    tickers: get('/openApi/spot/v1/ticker/24hr?timestamp=1'),
  },
  {
    venue: 'bitget',
    host: 'rest',
    list: get('/api/v2/spot/public/symbols'),
    tickers: get('/api/v2/spot/market/tickers'),
    borrow: { ofCoin: (asset) => get(`/api/v3/market/margin-loans?coin=${encodeURIComponent(asset)}`) },
  },
  {
    venue: 'bybit',
    host: 'rest',
    list: get('/v5/market/instruments-info?category=spot'),
    tickers: get('/v5/market/tickers?category=spot'),
    borrow: { all: [get('/v5/spot-margin-trade/data?vipLevel=No%20VIP')] },
  },
  {
    venue: 'cryptocom',
    host: 'rest',
    list: get('/exchange/v1/public/get-instruments'),
    tickers: get('/exchange/v1/public/get-tickers'),
  },
  {
    venue: 'gate',
    host: 'rest',
    list: get('/api/v4/spot/currency_pairs'),
    tickers: get('/api/v4/spot/tickers'),
    borrow: {
      all: [get('/api/v4/unified/currencies')],
      ofCoin: (asset) =>
        get(`/api/v4/unified/history_loan_rate?currency=${encodeURIComponent(asset)}&limit=1`),
    },
  },
  {
    venue: 'htx',
    host: {
      address: 'https://api.huobi.pro',
      budget: { id: 'api.huobi.pro', pools: [{ name: 'default', limit: 100, perMs: 10_000 }] },
    },
    list: get('/v1/common/symbols'),
    tickers: get('/market/tickers'),
  },
  {
    venue: 'hyperliquid',
    host: 'rest',
    tickers: info('spotMetaAndAssetCtxs', 20),
    borrow: { all: [info('allBorrowLendReserveStates', 20)] },
  },
  {
    venue: 'kraken',
    host: {
      address: 'https://api.kraken.com',
      budget: { id: 'api.kraken.com', pools: [{ name: 'default', limit: 5, perMs: 5_000 }] },
    },
    list: get('/0/public/AssetPairs'),
    tickers: get('/0/public/Ticker'),
  },
  {
    venue: 'kucoin',
    host: 'unified',
    list: get('/api/v2/symbols', 4),
    tickers: get('/api/v1/market/allTickers', 15),
  },
  {
    venue: 'lighter',
    host: 'rest',
    tickers: get('/api/v1/orderBookDetails?filter=spot'),
  },
  {
    venue: 'mexc',
    host: {
      address: 'https://api.mexc.com',
      budget: { id: 'mexc-spot', pools: [{ name: 'default', limit: 500, perMs: 10_000 }] },
    },
    list: get('/api/v3/exchangeInfo', 10),
    tickers: get('/api/v3/ticker/24hr', 40),
  },
  {
    venue: 'okx',
    host: 'rest',
    pool: 'instruments',
    list: get('/api/v5/public/instruments?instType=SPOT'),
    tickers: get('/api/v5/market/tickers?instType=SPOT'),
    borrow: { all: [get('/api/v5/public/interest-rate-loan-quota')] },
  },
  {
    venue: 'whitebit',
    host: 'rest',
    list: get('/api/v4/public/markets'),
    tickers: get('/api/v2/public/ticker'),
  },
];

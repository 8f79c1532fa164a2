import type { BookPlan, PlannedCall, SpotPlan } from './spot-plan.ts';

const get = (path: string, weight?: number): PlannedCall => ({
  path,
  ...(weight !== undefined && { weight }),
});

const info = (type: string, weight: number, more: Readonly<Record<string, string>> = {}): PlannedCall => ({
  path: '/info',
  body: JSON.stringify({ type, ...more }),
  weight,
});

/**
 * A book by a GET whose path ends where the symbol begins.
 *
 * @param rest of the query behind it
 */
const bookAt = (
  path: string,
  levels: number,
  { rest = '', ...terms }: { readonly rest?: string } & Pick<PlannedCall, 'weight' | 'pool'> = {},
): BookPlan => ({
  levels,
  of: ({ symbol }) => ({ path: `${path}${encodeURIComponent(symbol)}${rest}`, ...terms }),
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
    book: bookAt('/api/v3/depth?limit=100&symbol=', 100, { weight: 5 }),
  },
  {
    venue: 'backpack',
    host: 'rest',
    list: get('/api/v1/markets?marketType=SPOT'),
    tickers: get('/api/v1/tickers'),
    book: bookAt('/api/v1/depth?limit=100&symbol=', 100),
    borrow: { list: get('/api/v1/borrowLend/markets') },
  },
  {
    venue: 'binance',
    host: { address: 'https://api.binance.com', budget: minute('binance-api', 6000) },
    list: get('/api/v3/exchangeInfo', 20),
    tickers: get('/api/v3/ticker/24hr', 80),
    book: bookAt('/api/v3/depth?limit=100&symbol=', 100, { weight: 5 }),
  },
  {
    venue: 'bingx',
    host: 'rest',
    list: get('/openApi/spot/v1/common/symbols'),
    tickers: get('/openApi/spot/v1/ticker/24hr?timestamp=1'),
    book: bookAt('/openApi/spot/v1/market/depth?limit=100&timestamp=1&symbol=', 100),
  },
  {
    venue: 'bitget',
    host: 'rest',
    list: get('/api/v2/spot/public/symbols'),
    tickers: get('/api/v2/spot/market/tickers'),
    book: bookAt('/api/v2/spot/market/orderbook?type=step0&limit=150&symbol=', 150),
    borrow: {
      list: get('/api/v2/margin/currencies'),
      ofCoin: (asset) => get(`/api/v3/market/margin-loans?coin=${encodeURIComponent(asset)}`),
    },
  },
  {
    venue: 'bybit',
    host: 'rest',
    list: get('/v5/market/instruments-info?category=spot'),
    tickers: get('/v5/market/tickers?category=spot'),
    book: bookAt('/v5/market/orderbook?category=spot&limit=200&symbol=', 200),
    borrow: { list: get('/v5/spot-margin-trade/data?vipLevel=No%20VIP') },
  },
  {
    venue: 'cryptocom',
    host: 'rest',
    list: get('/exchange/v1/public/get-instruments'),
    tickers: get('/exchange/v1/public/get-tickers'),
    book: bookAt('/exchange/v1/public/get-book?depth=50&instrument_name=', 50, { pool: 'get-book' }),
  },
  {
    venue: 'gate',
    host: 'rest',
    list: get('/api/v4/spot/currency_pairs'),
    tickers: get('/api/v4/spot/tickers'),
    book: bookAt('/api/v4/spot/order_book?limit=100&currency_pair=', 100),
    borrow: {
      list: get('/api/v4/unified/currencies'),
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
    book: bookAt('/market/depth?type=step0&symbol=', 150),
  },
  {
    venue: 'hyperliquid',
    host: 'rest',
    tickers: info('spotMetaAndAssetCtxs', 20),
    book: { levels: 20, of: ({ symbol }) => info('l2Book', 2, { coin: symbol }) },
    borrow: { list: info('allBorrowLendReserveStates', 20) },
  },
  {
    venue: 'kraken',
    host: {
      address: 'https://api.kraken.com',
      budget: { id: 'api.kraken.com', pools: [{ name: 'default', limit: 5, perMs: 5_000 }] },
    },
    list: get('/0/public/AssetPairs'),
    tickers: get('/0/public/Ticker'),
    book: bookAt('/0/public/Depth?count=100&pair=', 100),
  },
  {
    venue: 'kucoin',
    host: 'unified',
    list: get('/api/v2/symbols', 4),
    tickers: get('/api/v1/market/allTickers', 15),
    book: bookAt('/api/v1/market/orderbook/level2_100?symbol=', 100, { weight: 4 }),
  },
  {
    venue: 'lighter',
    host: 'rest',
    tickers: get('/api/v1/orderBookDetails?filter=spot'),
    book: {
      levels: 250,
      of: ({ altId = '' }) => get(`/api/v1/orderBookOrders?market_id=${altId}&limit=250`),
    },
  },
  {
    venue: 'mexc',
    host: {
      address: 'https://api.mexc.com',
      budget: { id: 'mexc-spot', pools: [{ name: 'default', limit: 500, perMs: 10_000 }] },
    },
    list: get('/api/v3/exchangeInfo', 10),
    tickers: get('/api/v3/ticker/24hr', 40),
    book: bookAt('/api/v3/depth?limit=100&symbol=', 100),
  },
  {
    venue: 'okx',
    host: 'rest',
    pool: 'instruments',
    list: get('/api/v5/public/instruments?instType=SPOT'),
    tickers: get('/api/v5/market/tickers?instType=SPOT'),
    book: bookAt('/api/v5/market/books?sz=100&instId=', 100, { pool: 'books' }),
    borrow: { list: get('/api/v5/public/interest-rate-loan-quota') },
  },
  {
    venue: 'whitebit',
    host: 'rest',
    list: get('/api/v4/public/markets'),
    tickers: get('/api/v2/public/ticker'),
    book: bookAt('/api/v4/public/orderbook/', 100, { rest: '?limit=100&level=0', pool: 'orderbook' }),
  },
];

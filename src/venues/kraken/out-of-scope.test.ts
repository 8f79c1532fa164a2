import { type Calls, describeOutOfScope, LEVELS, TIME } from '../../../test/venues/out-of-scope.ts';
import { kraken } from './index.ts';

describeOutOfScope(kraken, {
  ours: 'PF_XBTUSD',
  outOfScope: {
    PI_XBTUSD: 'inverse',
    FI_XBTUSD_261225: 'dated',
    FF_XBTUSD_261225: 'dated',
    PV_XRPXBT: 'quanto',
    PF_XBTEUR: 'foreign_quote',
    'XBT/USD': 'spot',
    FILUSD: 'spot',
    in_xbtusd: 'not_listed',
  },
  calls: (symbol) => [
    ['/derivatives/api/v3/tickers', { result: 'success', tickers: [{ symbol }] }],
    [`/derivatives/api/v3/orderbook?symbol=${symbol}`, { result: 'success', orderBook: LEVELS }],
    [`/derivatives/api/v3/historical-funding-rates?symbol=${symbol}`, { rates: [{}] }],
    ['feed book', { feed: 'book_snapshot', product_id: symbol, seq: 1, bids: [], asks: [] }],
    ['feed book', { feed: 'book', product_id: symbol, side: 'buy', seq: 2, price: 1, qty: 1 }],
    ['feed book', { feed: 'ticker_lite', product_id: symbol }],
    ...(symbol.includes('/')
      ? []
      : ([
          [`/api/charts/v1/mark/${symbol}/1h`, { candles: [{ time: TIME, open: '1' }] }],
          [`/api/charts/v1/analytics/${symbol}/open-interest`, { result: { timestamp: [1], data: [['1']] } }],
        ] satisfies Calls)),
  ],
});

import { describeOutOfScope, LEVELS } from '../../../test/venues/out-of-scope.ts';
import { mexc } from './index.ts';

describeOutOfScope(mexc, {
  ours: 'BTC_USDT',
  outOfScope: {
    BTC_USD: 'inverse',
    BTC_USDT_20261225: 'dated',
    BTC_USD1: 'foreign_quote',
    BTCUSDT: 'spot',
  },
  calls: (symbol) => [
    ['/api/v1/contract/ticker', { success: true, code: 0, data: [{ symbol }] }],
    [`/api/v1/contract/depth/${symbol}`, { success: true, code: 0, data: LEVELS }],
    ['/api/v1/contract/funding_rate/history', { success: true, data: { resultList: [{ symbol }] } }],
    [`/api/v1/contract/kline/fair_price/${symbol}`, { success: true, data: { time: [1], open: [1] } }],
    ['sub.depth', { channel: 'push.depth', symbol, data: { ...LEVELS, version: 1 } }],
    ['sub.ticker', { channel: 'push.ticker', symbol, data: { symbol } }],
  ],
});

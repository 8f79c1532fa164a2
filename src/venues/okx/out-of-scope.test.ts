import { describeOutOfScope, LEVELS, TIME } from '../../../test/venues/out-of-scope.ts';
import { okx } from './index.ts';

describeOutOfScope(okx, {
  ours: 'BTC-USDT-SWAP',
  outOfScope: {
    'BTC-USD-SWAP': 'inverse',
    'BTC-USDT-261225': 'dated',
    'BTC-USD-261225-90000-C': 'option',
    'BTC-USDT': 'spot',
    'BTC-EUR-SWAP': 'foreign_quote',
    BTCUSDT: 'not_listed',
  },
  calls: (instId) => [
    [`/api/v5/market/books?instId=${instId}`, { code: '0', data: [{ ...LEVELS, ts: TIME }] }],
    ['/api/v5/market/tickers', { code: '0', data: [{ instId }] }],
    ['/api/v5/public/open-interest', { code: '0', data: [{ instId }] }],
    ['/api/v5/public/funding-rate-history', { code: '0', data: [{ instId }] }],
    [`/api/v5/market/history-mark-price-candles?instId=${instId}`, { code: '0', data: [[]] }],
    [`/api/v5/market/history-candles?instId=${instId}`, { code: '0', data: [[]] }],
    [`/api/v5/rubik/stat/contracts/open-interest-history?instId=${instId}`, { code: '0', data: [[]] }],
    ['books', { arg: { channel: 'books', instId }, action: 'snapshot', data: [LEVELS] }],
    ['bbo-tbt', { arg: { channel: 'bbo-tbt', instId }, data: [LEVELS] }],
  ],
});

import { describeOutOfScope, TIME } from '../../../test/venues/out-of-scope.ts';
import { bybit } from './index.ts';

const bybitResult = (result: object) => ({ retCode: 0, retMsg: 'OK', result });

describeOutOfScope(bybit, {
  ours: 'BTCUSDT',
  outOfScope: {
    BTCUSD: 'inverse',
    BTCUSDZ26: 'dated',
    'BTC-25DEC26': 'dated',
    'BTC-25DEC26-90000-C': 'option',
    'BTC-25DEC26-90000-P-USDT': 'option',
  },
  calls: (s) => [
    [`/v5/market/orderbook?symbol=${s}`, bybitResult({ s, b: [], a: [], u: 2, ts: TIME })],
    [`/v5/market/funding/history?symbol=${s}`, bybitResult({ list: [{ symbol: s }] })],
    [`/v5/market/open-interest?symbol=${s}`, bybitResult({ symbol: s, list: [{}] })],
    [`/v5/market/kline?symbol=${s}`, bybitResult({ symbol: s, list: [[]] })],
    [`tickers.${s}`, { topic: `tickers.${s}`, type: 'snapshot', data: { symbol: s } }],
    [`orderbook.50.${s}`, { topic: `orderbook.50.${s}`, type: 'snapshot', data: { s, b: [], a: [], u: 2 } }],
  ],
});

import { AT, type SpotAnswer } from './answer.ts';

const HOUR = 3_600_000;
const LATER = AT + HOUR;

/** Candles of two hours, the second of which goes on, in the form of each venue that is asked for them. */
export const candleAnswers: readonly SpotAnswer[] = [
  {
    venue: 'binance',
    url: '/api/v3/klines?symbol=1000SATSUSDT&interval=1h&limit=1000',
    payload: [
      [AT, '0.5', '0.7', '0.4', '0.6', '100', LATER - 1, '50', 10, '50', '25', '0'],
      [LATER, '0.6', '0.8', '0.5', '0.7', '100', LATER + HOUR - 1, '60', 10, '50', '30', '0'],
    ],
  },
  {
    venue: 'bybit',
    url: '/v5/market/kline?category=spot&symbol=BTCUSDT&interval=60',
    payload: {
      retCode: 0,
      retMsg: 'OK',
      result: {
        category: 'spot',
        symbol: 'BTCUSDT',
        list: [
          [String(LATER), '60', '80', '50', '70', '1.5', '90'],
          [String(AT), '50', '70', '40', '60', '1.5', '75'],
        ],
      },
      time: LATER,
    },
  },
  {
    venue: 'okx',
    url: '/api/v5/market/history-candles?instId=BTC-USDT&bar=1H',
    payload: {
      code: '0',
      msg: '',
      data: [
        [String(LATER), '60', '80', '50', '70', '1.5', '90', '90', '0'],
        [String(AT), '50', '70', '40', '60', '1.5', '75', '75', '1'],
      ],
    },
  },
  {
    venue: 'gate',
    url: '/api/v4/spot/candlesticks?currency_pair=BTC_USDT&interval=1h',
    payload: [
      [String(AT / 1000), '75', '60', '70', '40', '50', '1.5', 'true'],
      [String(LATER / 1000), '90', '70', '80', '50', '60', '1.5', 'false'],
    ],
  },
  {
    venue: 'bitget',
    url: '/api/v2/spot/market/history-candles?symbol=BTCUSDT&granularity=1h&endTime=1795874400000&limit=200',
    payload: {
      code: '00000',
      msg: 'success',
      requestTime: LATER,
      data: [
        [String(AT), '50', '70', '40', '60', '1.5', '75', '75'],
        [String(LATER), '60', '80', '50', '70', '1.5', '90', '90'],
      ],
    },
  },
  {
    venue: 'hyperliquid',
    url: 'POST /info {"type":"candleSnapshot","req":{"coin":"@142","interval":"1h"}}',
    payload: [
      { t: AT, T: LATER - 1, s: '@142', i: '1h', o: '50', c: '60', h: '70', l: '40', v: '1.5', n: 10 },
      {
        t: LATER,
        T: LATER + HOUR - 1,
        s: '@142',
        i: '1h',
        o: '60',
        c: '70',
        h: '80',
        l: '50',
        v: '1.5',
        n: 10,
      },
    ],
  },
];

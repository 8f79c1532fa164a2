import { AT, type SpotAnswer } from './answer.ts';

const htxMarket = (base: string, more: object = {}) => ({
  symbol: `${base}usdt`,
  'base-currency': base,
  'quote-currency': 'usdt',
  'price-precision': 2,
  'amount-precision': 3,
  state: 'online',
  'limit-order-min-order-amt': 0.002,
  'min-order-value': 5,
  tags: '',
  ...more,
});

export const htxAnswers: readonly SpotAnswer[] = [
  {
    venue: 'htx',
    url: '/v1/common/symbols',
    payload: {
      status: 'ok',
      data: [
        htxMarket('btc'),
        htxMarket('fil3s', { underlying: 'filusdt', 'init-nav': 10, tags: 'etp,nav' }),
        htxMarket('old', { state: 'offline' }),
      ],
    },
  },
  {
    venue: 'htx',
    url: '/market/tickers',
    payload: {
      status: 'ok',
      ts: AT,
      data: [
        {
          symbol: 'btcusdt',
          close: 50_000,
          amount: 1000,
          vol: 50_000_000,
          bid: 49_999,
          bidSize: 2,
          ask: 50_001,
          askSize: 1.5,
        },
        { symbol: 'xvgusdt', close: 5e-9, amount: 0, vol: 0, bid: 0, bidSize: 0, ask: 6e-9, askSize: 10 },
      ],
    },
  },
  {
    venue: 'htx',
    url: '/v1/margin/loan-info',
    payload: {
      status: 'ok',
      data: [
        {
          symbol: 'btcusdt',
          currencies: [{ currency: 'btc', 'interest-rate': '0.00096', 'max-loan-amt': '550' }],
        },
      ],
    },
  },
];

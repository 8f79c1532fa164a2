import { AT, type SpotAnswer } from './answer.ts';

export const bingxAnswers: readonly SpotAnswer[] = [
  {
    venue: 'bingx',
    url: '/openApi/spot/v1/common/symbols',
    payload: {
      code: 0,
      data: {
        symbols: [
          { symbol: 'BTC-USDT', minQty: 0.002, minNotional: 5, status: 1, tickSize: 0.01, stepSize: 0.001 },
          { symbol: 'TRUMPSOL-USDT', minQty: 1, minNotional: 5, status: 1, tickSize: 0.001, stepSize: 1 },
          { symbol: 'TRUMP-USDT', minQty: 1, minNotional: 5, status: 1, tickSize: 0.001, stepSize: 1 },
          { symbol: 'SOON-USDT', status: 5 },
          { symbol: 'SHUT-USDT', status: 1, apiStateBuy: false },
        ],
      },
    },
  },
  {
    venue: 'bingx',
    url: '/openApi/spot/v1/ticker/24hr?timestamp=1',
    payload: {
      code: 0,
      data: [
        {
          symbol: 'BTC-USDT',
          lastPrice: '50000',
          volume: 1000,
          quoteVolume: 50_000_000,
          bidPrice: 49_999,
          bidQty: 2,
          askPrice: 50_001,
          askQty: 1.5,
          priceChangePercent: '2.91%',
          closeTime: AT,
        },
      ],
    },
  },
  {
    venue: 'bingx',
    url: '/openApi/spot/v1/market/depth?symbol=BTC-USDT',
    payload: {
      code: 0,
      data: {
        bids: [
          ['49999', '1'],
          ['49998', '2'],
        ],
        asks: [
          ['50003', '2'],
          ['50001', '1'],
        ],
        ts: AT,
      },
    },
  },
];

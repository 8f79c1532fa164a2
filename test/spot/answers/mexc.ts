import type { SpotAnswer } from './answer.ts';
import { binanceRow } from './binance-form.ts';

export const mexcAnswers: readonly SpotAnswer[] = [
  {
    venue: 'mexc',
    url: '/api/v3/exchangeInfo',
    payload: {
      symbols: [
        {
          symbol: 'BTCUSDT',
          status: '1',
          baseAsset: 'BTC',
          baseAssetPrecision: 4,
          quoteAsset: 'USDT',
          quotePrecision: 2,
          baseSizePrecision: '0',
          quoteAmountPrecision: '5',
          takerCommission: '0.002',
          isSpotTradingAllowed: true,
        },
        {
          symbol: 'AAPLXUSDT',
          status: '1',
          baseAsset: 'AAPLX',
          quoteAsset: 'USDT',
          fullName: 'Apple xStock',
          isSpotTradingAllowed: true,
        },
      ],
    },
  },
  {
    venue: 'mexc',
    url: '/api/v3/ticker/24hr',
    payload: [{ ...binanceRow('BTCUSDT', '50000', '50001'), bidQty: '', askQty: '', quoteVolume: null }],
  },
];

import { AT, type SpotAnswer } from './answer.ts';
import { binanceMarket } from './binance-form.ts';

export const asterAnswers: readonly SpotAnswer[] = [
  {
    venue: 'aster',
    url: '/api/v3/exchangeInfo',
    payload: { symbols: [binanceMarket('ASTERUSDT', 'ASTER', 'USDT', { isSpotTradingAllowed: undefined })] },
  },
  {
    venue: 'aster',
    url: '/api/v3/ticker/bookTicker',
    payload: [
      { symbol: 'ASTERUSDT', bidPrice: '1.5', bidQty: '20', askPrice: '0.000000', askQty: '0', time: AT },
    ],
  },
];

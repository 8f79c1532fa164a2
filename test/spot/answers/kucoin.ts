import { AT, type SpotAnswer } from './answer.ts';

const kucoinMarket = (symbol: string, base: string, more: object = {}) => ({
  symbol,
  name: symbol,
  baseCurrency: base,
  quoteCurrency: 'USDT',
  market: 'USDS',
  baseMinSize: '0.002',
  baseIncrement: '0.001',
  priceIncrement: '0.01',
  minFunds: '0.1',
  isMarginEnabled: true,
  enableTrading: true,
  takerFeeCoefficient: '1.00',
  ...more,
});

export const kucoinAnswers: readonly SpotAnswer[] = [
  {
    venue: 'kucoin',
    url: '/api/v2/symbols',
    payload: {
      code: '200000',
      data: [
        kucoinMarket('BTC-USDT', 'BTC'),
        kucoinMarket('WAX-USDT', 'WAX', { name: 'WAXP-USDT', takerFeeCoefficient: '2.00' }),
        kucoinMarket('BTC3L-USDT', 'BTC3L', { market: 'ETF' }),
        kucoinMarket('OLD-USDT', 'OLD', { enableTrading: false }),
      ],
    },
  },
  {
    venue: 'kucoin',
    url: '/api/v1/market/allTickers',
    payload: {
      code: '200000',
      data: {
        time: AT,
        ticker: [
          {
            symbol: 'BTC-USDT',
            buy: '49999',
            bestBidSize: '2',
            sell: '50001',
            bestAskSize: '1.5',
            last: '50000',
            vol: '1000',
            volValue: '50000000',
            takerFeeRate: '0.001',
            takerCoefficient: '2',
          },
          // In a call auction bids may stand above asks.
          { symbol: 'NEW-USDT', buy: '2', sell: '1', last: '1.5', vol: null, volValue: null },
        ],
      },
    },
  },
  {
    venue: 'kucoin',
    url: '/api/v3/project/marketInterestRate?currency=BTC',
    payload: { code: '200000', data: [{ time: '202611281200', marketInterestRate: '0.005' }] },
  },
];

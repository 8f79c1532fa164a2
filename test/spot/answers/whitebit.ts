import type { SpotAnswer } from './answer.ts';

const whitebitMarket = (name: string, more: object = {}) => ({
  name,
  stock: name.split('_')[0],
  money: name.split('_')[1],
  type: 'spot',
  stockPrec: '3',
  moneyPrec: '2',
  minAmount: '0.002',
  minTotal: '5',
  takerFee: '0.1',
  tradesEnabled: true,
  isCollateral: true,
  delistedAt: null,
  ...more,
});

export const whitebitAnswers: readonly SpotAnswer[] = [
  {
    venue: 'whitebit',
    url: '/api/v4/public/markets',
    payload: [
      whitebitMarket('BTC_USDT'),
      whitebitMarket('BTC_UAH', { takerFee: '0.001' }),
      whitebitMarket('DBTC_DUSDT'),
      whitebitMarket('BTC_PERP', { type: 'futures' }),
      whitebitMarket('OLD_USDT', { delistedAt: 1_764_000_000 }),
    ],
  },
  {
    venue: 'whitebit',
    url: '/api/v2/public/ticker',
    payload: {
      success: true,
      result: [
        {
          tradingPairs: 'BTC_USDT',
          lastPrice: '50000',
          highestBid: '49999',
          lowestAsk: '50001',
          baseVolume24h: '1000',
          quoteVolume24h: '50000000',
          tradesEnabled: true,
        },
        {
          tradingPairs: 'BTC_UAH',
          lastPrice: '2100000',
          highestBid: '2099000',
          lowestAsk: '2101000',
          quoteVolume24h: '9',
        },
        { tradingPairs: 'BTC_PERP', lastPrice: '50000', highestBid: '49999', lowestAsk: '50001' },
      ],
    },
  },
  {
    venue: 'whitebit',
    url: '/api/v4/public/ticker',
    payload: {
      BTC_USDT: { last_price: '50000', quote_volume: '50000000', base_volume: '1000', isFrozen: false },
    },
  },
];

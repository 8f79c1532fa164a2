import { AT, type SpotAnswer } from './answer.ts';

const bybitAnswer = (category: string | undefined, list: readonly object[]) => ({
  retCode: 0,
  retMsg: 'OK',
  result: { category, list },
  time: AT,
});

const bybitMarket = (symbol: string, baseCoin: string, more: object = {}) => ({
  symbol,
  baseCoin,
  quoteCoin: 'USDT',
  status: 'Trading',
  marginTrading: 'utaOnly',
  lotSizeFilter: { basePrecision: '0.001', minOrderQty: '0.002', minOrderAmt: '5' },
  priceFilter: { tickSize: '0.01' },
  ...more,
});

export const bybitAnswers: readonly SpotAnswer[] = [
  {
    venue: 'bybit',
    url: '/v5/market/instruments-info?category=spot',
    payload: bybitAnswer('spot', [
      bybitMarket('BTCUSDT', 'BTC'),
      bybitMarket('AAPLXUSDT', 'AAPLX', { symbolType: 'xstocks', marginTrading: 'none' }),
      bybitMarket('BTC3SUSDT', 'BTC3S', { marginTrading: 'none' }),
      bybitMarket('OLDUSDT', 'OLD', { status: 'Closed' }),
    ]),
  },
  {
    venue: 'bybit',
    url: '/v5/market/tickers?category=spot',
    payload: bybitAnswer('spot', [
      {
        symbol: 'BTCUSDT',
        bid1Price: '50000',
        bid1Size: '2',
        ask1Price: '50001',
        ask1Size: '1.5',
        lastPrice: '50000.5',
        volume24h: '1000',
        turnover24h: '50000000',
      },
    ]),
  },
  {
    venue: 'bybit',
    url: '/v5/market/tickers?category=linear',
    payload: bybitAnswer('linear', [{ symbol: 'BTCUSDT', bid1Price: '50000', ask1Price: '50001' }]),
  },
  {
    venue: 'bybit',
    url: '/v5/spot-margin-trade/data?vipLevel=No%20VIP',
    payload: {
      retCode: 0,
      result: {
        vipCoinList: [
          {
            vipLevel: 'VIP-1',
            list: [
              { currency: 'BTC', borrowable: true, hourlyBorrowRate: '0.000001', maxBorrowingAmount: '9' },
            ],
          },
          {
            vipLevel: 'No VIP',
            list: [
              { currency: 'BTC', borrowable: true, hourlyBorrowRate: '0.000002', maxBorrowingAmount: '3' },
              { currency: 'ODD', borrowable: false, hourlyBorrowRate: '0.000005', maxBorrowingAmount: '' },
            ],
          },
        ],
      },
    },
  },
];

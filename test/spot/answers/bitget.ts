import { AT, type SpotAnswer } from './answer.ts';

export const bitgetAnswers: readonly SpotAnswer[] = [
  {
    venue: 'bitget',
    url: '/api/v2/spot/public/symbols',
    payload: {
      code: '00000',
      data: [
        {
          symbol: 'TONCOINUSDT',
          baseCoin: 'TONCOIN',
          quoteCoin: 'USDT',
          minTradeAmount: '0',
          takerFeeRate: '0.002',
          pricePrecision: '3',
          quantityPrecision: '2',
          status: 'online',
          minTradeUSDT: '1',
        },
        { symbol: 'AAPLonUSDT', baseCoin: 'AAPLon', quoteCoin: 'USDT', status: 'online' },
      ],
    },
  },
  {
    venue: 'bitget',
    url: '/api/v2/spot/market/tickers',
    payload: {
      code: '00000',
      data: [
        {
          symbol: 'ETHBTC',
          lastPr: '0.03',
          bidPr: '0.0299',
          bidSz: '2',
          askPr: '0.0301',
          askSz: '3',
          baseVolume: '100',
          quoteVolume: '3',
          usdtVolume: '150000',
          ts: String(AT),
        },
      ],
    },
  },
  {
    venue: 'bitget',
    url: '/api/v2/margin/currencies',
    payload: {
      code: '00000',
      data: [
        {
          symbol: 'TONCOINUSDC',
          baseCoin: 'TONCOIN',
          quoteCoin: 'USDC',
          isBorrowable: true,
          isCrossBorrowable: false,
        },
        {
          symbol: 'TONCOINUSDT',
          baseCoin: 'TONCOIN',
          quoteCoin: 'USDT',
          isBorrowable: true,
          isCrossBorrowable: true,
        },
        {
          symbol: 'KAITOUSDT',
          baseCoin: 'KAITO',
          quoteCoin: 'USDT',
          isBorrowable: true,
          isCrossBorrowable: false,
        },
      ],
    },
  },
  {
    venue: 'bitget',
    url: '/api/v3/market/tickers?category=SPOT',
    payload: {
      code: '00000',
      data: [
        {
          category: 'SPOT',
          symbol: 'BTCUSDT',
          bid1Price: '50000',
          ask1Price: '50001',
          volume24h: '7',
          ts: String(AT),
        },
      ],
    },
  },
  {
    venue: 'bitget',
    url: '/api/v3/market/margin-loans?coin=BTC',
    payload: { code: '00000', data: { dailyInterest: '0.00024', limit: '26', platformRemaingQuota: '0' } },
  },
];

import { AT, type SpotAnswer } from './answer.ts';

/** Answers of calls that are read and not made: other versions, touches alone, the past of borrowing. */
export const furtherAnswers: readonly SpotAnswer[] = [
  {
    venue: 'backpack',
    url: '/api/v1/borrowLend/markets/history?interval=1d&symbol=SOL',
    payload: [{ borrowInterestRate: '0.05', timestamp: '2026-11-28T12:00:00.000Z' }],
  },
  {
    venue: 'bingx',
    url: '/openApi/spot/v1/ticker/bookTicker?symbol=BTC-USDT',
    payload: {
      code: 0,
      data: [
        {
          symbol: 'BTC-USDT',
          bidPrice: '50000',
          bidVolume: '2',
          askPrice: '50001',
          askVolume: '3',
          time: AT,
        },
      ],
    },
  },
  {
    venue: 'bitget',
    url: '/api/v3/market/instruments?category=MARGIN',
    payload: {
      code: '00000',
      data: [
        {
          symbol: 'ADAUSDT',
          category: 'MARGIN',
          baseCoin: 'ADA',
          quoteCoin: 'USDT',
          minOrderQty: '1',
          priceMultiplier: '0.0001',
          quantityMultiplier: '0.001',
          minOrderAmount: '2',
          status: 'online',
          isIsolatedBaseBorrowable: 'YES',
        },
      ],
    },
  },
  {
    venue: 'bitget',
    url: '/api/v2/margin/crossed/interest-rate-and-limit?coin=BTC',
    payload: {
      code: '00000',
      data: [
        { coin: 'BTC', borrowable: true, dailyInterestRate: '0.00007', maxBorrowableAmount: '26' },
        { coin: 'ODD', borrowable: false, dailyInterestRate: '0.0001', maxBorrowableAmount: '5' },
      ],
    },
  },
  {
    venue: 'bybit',
    url: '/v5/spot-margin-trade/interest-rate-history?currency=BTC',
    payload: {
      retCode: 0,
      result: {
        list: [
          {
            timestamp: AT,
            currency: 'BTC',
            hourlyBorrowRate: '0.000002',
            vipLevel: 'No VIP',
          },
        ],
      },
    },
  },
  {
    venue: 'htx',
    url: '/v1/settings/common/market-symbols',
    payload: {
      status: 'ok',
      data: [
        {
          symbol: 'btcusdt',
          bc: 'btc',
          qc: 'usdt',
          state: 'online',
          pp: 2,
          ap: 6,
          lominoa: 0.0001,
          minov: 10,
        },
      ],
    },
  },
  {
    venue: 'hyperliquid',
    url: 'POST /info {"type":"spotMeta"}',
    payload: {
      tokens: [
        { name: 'USDC', szDecimals: 8, index: 0, tokenId: '0x6d1e7cde53ba9467b783cb7c530ce054' },
        { name: 'UBTC', szDecimals: 5, index: 197, tokenId: '0x8f254b963e8468305d409b33aa137c67' },
      ],
      universe: [{ name: '@142', tokens: [197, 0], index: 142, isCanonical: false }],
    },
  },
  {
    venue: 'mexc',
    url: '/api/v3/ticker/bookTicker',
    payload: [{ symbol: 'BTCUSDT', bidPrice: '50000', bidQty: '2', askPrice: '50001', askQty: '3' }],
  },
];

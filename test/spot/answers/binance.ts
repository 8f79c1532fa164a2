import type { SpotAnswer } from './answer.ts';
import { binanceMarket, binanceRow } from './binance-form.ts';

export const binanceAnswers: readonly SpotAnswer[] = [
  {
    venue: 'binance',
    url: '/api/v3/exchangeInfo',
    payload: {
      symbols: [
        binanceMarket('BTCUSDT', 'BTC', 'USDT'),
        binanceMarket('1000SATSUSDT', '1000SATS', 'USDT'),
        binanceMarket('BTCUSD1', 'BTC', 'USD1'),
        binanceMarket('ETHBTC', 'ETH', 'BTC', {
          filters: [
            { filterType: 'PRICE_FILTER', tickSize: '0.00001' },
            { filterType: 'LOT_SIZE', stepSize: '0.0001' },
            { filterType: 'MIN_NOTIONAL', minNotional: '0.0001' },
          ],
        }),
        binanceMarket('BTCUPUSDT', 'BTCUP', 'USDT'),
        binanceMarket('JUPUSDT', 'JUP', 'USDT'),
        binanceMarket('ADADOWNUSDT', 'ADADOWN', 'USDT', { permissions: ['LEVERAGED'] }),
        binanceMarket('BCCUSDT', 'BCC', 'USDT', { status: 'BREAK' }),
        binanceMarket('NEWUSDT', 'NEW', 'USDT', { status: 'PRE_TRADING' }),
      ],
    },
  },
  {
    venue: 'binance',
    url: '/api/v3/ticker/24hr',
    payload: [
      binanceRow('BTCUSDT', '50000', '50000.5'),
      binanceRow('1000SATSUSDT', '0.00025', '0.00026'),
      binanceRow('BTCUSD1', '49990', '50010'),
      binanceRow('ETHBTC', '0.03', '0.0301'),
      // The asks of this one are gone.
      { ...binanceRow('JUPUSDT', '0.3', '0.00000000'), askQty: '0.00000000' },
      binanceRow('BTCUPUSDT', '12', '13'),
    ],
  },
  {
    venue: 'binance',
    url: '/api/v3/ticker/bookTicker',
    payload: [{ symbol: 'BTCUSDT', bidPrice: '50000', bidQty: '2', askPrice: '50001', askQty: '3' }],
  },
  {
    venue: 'binance',
    url: '/bapi/margin/v1/public/margin/vip/spec/list-all',
    payload: {
      code: '000000',
      data: [
        {
          assetName: 'BTC',
          specs: [
            { vipLevel: '1', dailyInterestRate: '0.00018', borrowLimit: '200' },
            { vipLevel: '0', dailyInterestRate: '0.00024', borrowLimit: '100' },
          ],
        },
      ],
    },
  },
];

import { AT, type SpotAnswer } from './answer.ts';

export const cryptocomAnswers: readonly SpotAnswer[] = [
  {
    venue: 'cryptocom',
    url: '/exchange/v1/public/get-instruments',
    payload: {
      code: 0,
      result: {
        data: [
          {
            symbol: 'BTC_USD',
            inst_type: 'CCY_PAIR',
            base_ccy: 'BTC',
            quote_ccy: 'USD',
            price_tick_size: '0.01',
            qty_tick_size: '0.001',
            tradable: true,
            margin_sell_enabled: true,
          },
          {
            symbol: 'BTCUSD-PERP',
            inst_type: 'PERPETUAL_SWAP',
            base_ccy: 'BTC',
            quote_ccy: 'USD',
            tradable: true,
          },
        ],
      },
    },
  },
  {
    venue: 'cryptocom',
    url: '/exchange/v1/public/get-tickers',
    payload: {
      code: 0,
      result: {
        data: [
          {
            i: 'ETH_BTC',
            a: '0.03',
            b: '0.0299',
            bs: '2',
            k: '0.0301',
            ks: '1',
            v: '100',
            vv: '150000',
            t: AT,
          },
          { i: 'BTCUSD-PERP', a: '50000', b: '49999', k: '50001', v: '100', vv: '5000000', t: AT },
          { i: 'USD_Stable_Coin', a: '1', b: '0.9999', k: '1.0001', t: AT },
        ],
      },
    },
  },
];

import type { SpotAnswer } from './answer.ts';

const krakenMarket = (wsname: string, more: object = {}) => ({
  wsname,
  aclass_base: 'currency',
  pair_decimals: 1,
  tick_size: '0.1',
  lot_decimals: 8,
  ordermin: '0.00005',
  costmin: '0.5',
  status: 'online',
  fees: [
    [0, 0.4],
    [10_000, 0.35],
  ],
  leverage_sell: [2, 3],
  ...more,
});

export const krakenAnswers: readonly SpotAnswer[] = [
  {
    venue: 'kraken',
    url: '/0/public/AssetPairs',
    payload: {
      error: [],
      result: {
        XXBTZUSD: krakenMarket('XBT/USD'),
        XDGUSD: krakenMarket('XDG/USD', { tick_size: undefined, pair_decimals: 7, leverage_sell: [] }),
        LUNAUSD: krakenMarket('LUNA/USD'),
        LUNA2USD: krakenMarket('LUNA2/USD', { status: 'cancel_only' }),
        AAPLxUSD: krakenMarket('AAPLx/USD', { aclass_base: 'tokenized_asset' }),
      },
    },
  },
  {
    venue: 'kraken',
    url: '/0/public/Ticker',
    payload: {
      error: [],
      result: {
        XXBTZUSD: {
          a: ['50001.0', '1', '1.5'],
          b: ['49999.0', '2', '2.25'],
          c: ['50000.0', '0.1'],
          v: ['10', '1000'],
          p: ['49000', '50000'],
        },
      },
    },
  },
];

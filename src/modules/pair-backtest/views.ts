import type { ViewBlock } from '../../host/page-view.ts';

export const VIEWS: readonly ViewBlock[] = [
  {
    name: 'pair',
    after: 'asset',
    title: 'Pair',
    file: 'src/modules/pair-backtest/view/pair.tsx',
    component: 'Pair',
    shots: [
      {
        name: 'pair-sale',
        port: 'public',
        place: '#/pair?ticker=BTC&short=binance&long=hyperliquid',
      },
      {
        name: 'pair',
        port: 'operator',
        place: '#/pair?ticker=DOGE&short=binance&long=bybit&assume=1.5',
        kept: 'light',
      },
      { name: 'pair-unknown', port: 'operator', place: '#/pair?ticker=BTC&short=binance&long=hyperliquid' },
    ],
  },
];

import type { Module } from '../../host/module.ts';

/** The back-test of a funding trade between two venues, from stored history. */
export const pairBacktest: Module = {
  id: 'pair-backtest',
  views: async () => (await import('./views.ts')).VIEWS,
  products: async () => {
    const [{ backtestPair }, { default: prices }] = await Promise.all([
      import('./backtest-pair.ts'),
      import('./prices.json', { with: { type: 'json' } }),
    ]);
    return {
      products: [
        {
          product: backtestPair,
          after: 'backtest-data',
          tool: {
            name: 'backtest_data',
            leads: true,
            about: 'Two legs traded by rule, or the series of one contract.',
          },
        },
      ],
      prices,
    };
  },
};

import type { Module } from '../../host/module.ts';
import { spotMarket } from '../spot-market/module.ts';

/** The back-test of a trade of spot against a perpetual, from stored history. */
export const carryBacktest: Module = {
  id: 'carry-backtest',
  needs: ['spot', 'spot-market', 'spot-history', 'pair-backtest'],
  ...(spotMarket.off !== undefined && { off: spotMarket.off }),
  products: async () => {
    const [{ backtestCarry }, { default: prices }] = await Promise.all([
      import('./backtest-carry.ts'),
      import('./prices.json', { with: { type: 'json' } }),
    ]);
    return {
      products: [{ product: backtestCarry, after: 'backtest-pair', tool: { name: 'backtest_data' } }],
      prices,
    };
  },
};

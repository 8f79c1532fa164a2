import type { Module } from '../../host/module.ts';

/** The terms on which contracts are traded, and which contracts were listed at a moment. */
export const contracts: Module = {
  id: 'contracts',
  products: async () => {
    const [{ contractsProduct }, { default: prices }] = await Promise.all([
      import('./contracts.ts'),
      import('./prices.json', { with: { type: 'json' } }),
    ]);
    return {
      products: [
        {
          product: contractsProduct,
          after: 'rwa-perp-coverage',
          tool: {
            name: 'coverage',
            about:
              'Index sources, real-world assets, terms of contracts (tick, lot, leverage, margins, limits).',
          },
        },
      ],
      prices,
    };
  },
};

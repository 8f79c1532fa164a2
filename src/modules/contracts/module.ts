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
            name: 'contract_terms',
            title: 'Terms of contracts',
            about:
              'Tick, lot, least order, leverage, margins and limits of contracts, or those listed at a moment.',
            units: 'Margins are fractions.',
            use: 'before an order',
            not: 'prices (market_snapshot)',
            fails: 'missing_parameter; no_data',
          },
        },
      ],
      prices,
    };
  },
};

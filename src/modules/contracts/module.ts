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
            title: 'Contract terms',
            about: 'Tick, lot, leverage, margins, limits of contracts; those listed then.',
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

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
              'Tick, lot, minimum order, leverage, margins, caps, limits and listing of contracts; which were listed at a moment.',
            units: 'Prices per unit of the ticker, amounts in tickers or USD, margins as fractions.',
            use: 'before an order, or for the universe of a back-test',
            not: 'prices or rates (market_snapshot)',
            fails: 'missing_parameter: name a venue, a ticker, or both; not_listed; no_data',
          },
        },
      ],
      prices,
    };
  },
};

import type { Module } from '../../host/module.ts';

/** Several answers as one, which is bought by one payment: those that a view of the page reads. */
export const bundles: Module = {
  id: 'bundles',
  products: async () => {
    const [{ bundlesAsset }, { bundlesPair }, { bundlesMatrix }, { default: prices }] = await Promise.all([
      import('./bundles-asset.ts'),
      import('./bundles-pair.ts'),
      import('./bundles-matrix.ts'),
      import('./prices.json', { with: { type: 'json' } }),
    ]);
    return {
      products: [
        { product: bundlesAsset, after: 'perp-snapshot', tool: { name: 'spread_and_carry' } },
        { product: bundlesPair, after: 'bundles-asset', tool: { name: 'funding_history' } },
        { product: bundlesMatrix, after: 'bundles-pair', tool: { name: 'funding_rates' } },
      ],
      prices,
    };
  },
};

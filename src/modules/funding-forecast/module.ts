import type { Module } from '../../host/module.ts';

/** Funding rates as they were shown before each settlement beside what was paid. */
export const fundingForecast: Module = {
  id: 'funding-forecast',
  products: async () => {
    const [{ perpFundingForecast }, { default: prices }] = await Promise.all([
      import('./perp-funding-forecast.ts'),
      import('./prices.json', { with: { type: 'json' } }),
    ]);
    return {
      products: [
        {
          product: perpFundingForecast,
          after: 'perp-funding-heatmap',
          tool: {
            name: 'funding_history',
            about: 'Funding in the past.',
          },
        },
      ],
      prices,
    };
  },
};

import type { Module } from '../../host/module.ts';

/** Listings, delistings, halts, renames and changes of terms of contracts, as they were seen and announced. */
export const calendar: Module = {
  id: 'calendar',
  products: async () => {
    const [{ perpCalendar }, { default: prices }] = await Promise.all([
      import('./perp-calendar.ts'),
      import('./prices.json', { with: { type: 'json' } }),
    ]);
    return {
      products: [
        {
          product: perpCalendar,
          after: 'perp-oracle-families',
          tool: {
            name: 'coverage',
            about: 'Index sources, real-world assets, terms of contracts, and what venues change.',
          },
        },
      ],
      prices,
    };
  },
  open: async (host) => (await import('./open-calendar.ts')).openCalendar(host),
};

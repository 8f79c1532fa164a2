import type { Module } from '../../host/module.ts';

/** Conditions over the products' own fields that are watched for who paid for it, or for the operator, and told when they hold. */
export const watch: Module = {
  id: 'watch',
  needs: ['calendar', 'receipts', 'tables', 'watch-conditions', 'webhook'],
  products: async () => {
    const [{ watchDay }, { watchMonth }, { watchCheck }, { watchRead }, { default: prices }] =
      await Promise.all([
        import('./watch-day.ts'),
        import('./watch-month.ts'),
        import('./watch-check.ts'),
        import('./watch.ts'),
        import('./prices.json', { with: { type: 'json' } }),
      ]);
    const name = 'watch';
    return {
      products: [
        {
          product: watchDay,
          after: 'perp-calendar',
          tool: {
            name,
            about: 'Be told when a condition holds.',
            units: 'above, below, reset: of kind (rate_8h fraction, bps, percent).',
            use: 'instead of polling, watch-check first; read with id and secret',
          },
        },
        { product: watchMonth, after: 'watch-day', tool: { name } },
        { product: watchCheck, after: 'watch-month', tool: { name } },
        { product: watchRead, after: 'watch-check', tool: { name } },
      ],
      prices,
    };
  },
  open: async (host) => (await import('./open-watch.ts')).openWatches(host),
};

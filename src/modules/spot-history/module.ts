import type { Module } from '../../host/module.ts';
import { spotMarket } from '../spot-market/module.ts';

/** The past of the spot side of the venues, by hour. */
export const spotHistoryModule: Module = {
  id: 'spot-history',
  needs: ['backfill', 'spot', 'spot-market'],
  ...(spotMarket.off !== undefined && { off: spotMarket.off }),
  products: async () => {
    const [{ spotHistory }, { default: prices }] = await Promise.all([
      import('./spot-history.ts'),
      import('./prices.json', { with: { type: 'json' } }),
    ]);
    return {
      products: [
        { product: spotHistory, after: 'spot-borrow', tool: { name: 'interest_and_volume_history' } },
      ],
      prices,
    };
  },
  open: async (host) => (await import('./open-spot-history.ts')).openSpotHistory(host),
};

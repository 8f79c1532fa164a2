import type { Module } from '../../host/module.ts';
import { SETTINGS, spotIsOff } from './settings.ts';

/** The spot side of the venues of perpetuals, collected and sold. */
export const spotMarket: Module = {
  id: 'spot-market',
  needs: ['spot'],
  settings: [{ after: 'secondReaderCcxt', specs: SETTINGS }],
  off: spotIsOff,
  products: async () => {
    const [{ spotCurrent }, { spotBorrow }, { spotDepth }, { default: prices }] = await Promise.all([
      import('./spot-current.ts'),
      import('./spot-borrow.ts'),
      import('./spot-depth.ts'),
      import('./prices.json', { with: { type: 'json' } }),
    ]);
    const tool = { name: 'spread_and_carry' };
    return {
      products: [
        { product: spotCurrent, after: 'perp-calendar', tool },
        { product: spotBorrow, after: 'spot-current', tool },
        { product: spotDepth, after: 'spot-borrow', tool },
      ],
      prices,
    };
  },
  open: async (host) => (await import('./open-spot-market.ts')).openSpotMarket(host),
};

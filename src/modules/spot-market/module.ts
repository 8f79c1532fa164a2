import type { Module } from '../../host/module.ts';
import type { SettingSpecs } from '../../host/settings/settings.ts';

const SETTINGS = {
  spot: {
    flag: 'spot',
    env: 'SPOT',
    type: 'text',
    choices: ['on', 'off'],
    fallback: 'on',
    about: 'the spot side of the venues: touches, volume and borrow rates; off asks and sells none of it',
  },
} as const satisfies SettingSpecs;

/** The spot side of the venues of perpetuals, collected and sold. */
export const spotMarket: Module = {
  id: 'spot-market',
  needs: ['spot'],
  settings: [{ after: 'secondReaderCcxt', specs: SETTINGS }],
  off: (settings) =>
    settings(SETTINGS).spot === 'off' ? '--spot (PERPMETER_SPOT) on turns it on' : undefined,
  products: async () => {
    const [{ spotCurrent }, { spotBorrow }, { default: prices }] = await Promise.all([
      import('./spot-current.ts'),
      import('./spot-borrow.ts'),
      import('./prices.json', { with: { type: 'json' } }),
    ]);
    const tool = { name: 'spread_and_carry' };
    return {
      products: [
        { product: spotCurrent, after: 'perp-calendar', tool },
        { product: spotBorrow, after: 'spot-current', tool },
      ],
      prices,
    };
  },
  open: async (host) => (await import('./open-spot-market.ts')).openSpotMarket(host),
};

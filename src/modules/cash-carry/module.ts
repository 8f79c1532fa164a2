import type { Module } from '../../host/module.ts';
import { spotIsOff } from '../spot-market/settings.ts';

/** Spot markets held against perpetuals: cash and carry of an asset, and the scan over all. */
export const cashCarry: Module = {
  id: 'cash-carry',
  needs: ['spot', 'spot-market', 'spot-history'],
  off: spotIsOff,
  products: async () => {
    const [{ perpCashCarry }, { perpArbitrageCashCarry }, { default: prices }] = await Promise.all([
      import('./perp-cash-carry.ts'),
      import('./perp-arbitrage-cash-carry.ts'),
      import('./prices.json', { with: { type: 'json' } }),
    ]);
    const tool = {
      name: 'scan_arbitrage',
      about: 'Ranked pairs over all assets, by funding, price or cash and carry.',
    };
    return {
      products: [
        { product: perpCashCarry, after: 'spot-depth', tool },
        { product: perpArbitrageCashCarry, after: 'perp-cash-carry', tool },
      ],
      prices,
    };
  },
};

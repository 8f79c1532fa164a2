import type { Module } from '../../host/module.ts';

/** Lets the buyer who has lost the secrets of watches read them by a signature of the wallet that has paid. */
export const watchWallet: Module = {
  id: 'watch-wallet',
  needs: ['watch', 'watch-conditions', 'webhook'],
  products: async () => {
    const { watches } = await import('./watches.ts');
    return { products: [{ product: watches, after: 'watch' }] };
  },
  open: async () => (await import('./open-proofs.ts')).openProofs(),
};

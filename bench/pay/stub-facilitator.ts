import type { FacilitatorClient } from '@x402/core/server';

/** Both sides are given this one: it finds every payment good and settles it, at once. */
export const stubFacilitator: FacilitatorClient = {
  verify: async () => ({ isValid: true }),
  settle: async (_payload, { network }) => ({ success: true, transaction: `0x${'ab'.repeat(32)}`, network }),
  getSupported: async () => ({
    kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }],
    extensions: [],
    signers: {},
  }),
};

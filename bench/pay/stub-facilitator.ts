import type { FacilitatorClient } from '@x402/core/server';

/** A channel with enough money for any benchmark, as the chain has it; atomic units. */
export const FUNDED = {
  balance: '1000000000000',
  totalClaimed: '0',
  withdrawRequestedAt: 0,
  refundNonce: '0',
};

function seenChannel({ channelConfig }: Record<string, unknown>) {
  const { payer } = channelConfig as { readonly payer: string };
  return { payer, extra: FUNDED };
}

/** Both sides are given this one: it finds every payment good and settles it, at once. */
export const stubFacilitator: FacilitatorClient = {
  verify: async ({ payload }) => ({ isValid: true, ...(payload.type === 'voucher' && seenChannel(payload)) }),
  settle: async (_payload, { network }) => ({ success: true, transaction: `0x${'ab'.repeat(32)}`, network }),
  getSupported: async () => ({
    kinds: (['exact', 'batch-settlement'] as const).map((scheme) => ({
      x402Version: 2,
      scheme,
      network: 'eip155:8453',
    })),
    extensions: [],
    signers: {},
  }),
};

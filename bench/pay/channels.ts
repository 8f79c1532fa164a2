import { systemClock } from '../../src/domain/clock.ts';
import { FacilitatorList } from '../../src/pay/facilitator-list.ts';
import { createFacilitator } from '../../src/pay/facilitators/client.ts';
import type { Ledger } from '../../src/pay/ledger.ts';
import { loadCheckSigner } from '../../src/pay/recover.ts';
import type { Scheme } from '../../src/pay/scheme.ts';
import { Channels } from '../../src/pay/schemes/batch-settlement/channels.ts';
import { createChannelDigests } from '../../src/pay/schemes/batch-settlement/digests.ts';
import { createChannelScheme } from '../../src/pay/schemes/batch-settlement/scheme.ts';
import { createSignatureCheck } from '../../src/pay/schemes/batch-settlement/signatures.ts';
import { SCHEME_NAME } from '../../src/pay/schemes/batch-settlement/terms.ts';
import type { Seller } from '../../src/pay/seller.ts';
import type { ProtectedRoute } from '../../src/pay/types.ts';
import { FUNDED, stubFacilitator } from './stub-facilitator.ts';

/** The delay of all channels, seconds. */
export const CHANNEL_DELAY = 86_400;

/** Sales by channel, each of which has money enough: what a chain says of it is in memory. */
export async function benchChannels(
  seller: Seller,
  routes: readonly ProtectedRoute[],
  { accounts }: Ledger,
): Promise<Scheme> {
  if (accounts === undefined) throw new Error('a ledger without accounts');
  const digests = createChannelDigests(seller.network.chainId);
  const calls = { name: 'stub', verify: stubFacilitator, settle: stubFacilitator };
  const facilitator = createFacilitator(calls, { scheme: SCHEME_NAME, network: seller.network.id });
  return createChannelScheme({
    seller,
    routes,
    clock: systemClock,
    terms: { receiverAuthorizer: seller.payTo, withdrawDelay: CHANNEL_DELAY },
    facilitators: new FacilitatorList([facilitator]),
    channels: new Channels(accounts, systemClock),
    readChannel: async () => ({
      balance: FUNDED.balance,
      claimed: FUNDED.totalClaimed,
      withdrawAt: FUNDED.withdrawRequestedAt,
      refundNonce: FUNDED.refundNonce,
      seenAt: systemClock.now(),
    }),
    digests,
    signatures: createSignatureCheck(seller, digests, await loadCheckSigner()),
  });
}

import type { ChannelsConfig } from '../../config-channels.ts';
import { FacilitatorList } from '../../facilitator-list.ts';
import { createMulticall } from '../../multicall.ts';
import { loadCheckSigner } from '../../recover.ts';
import { createRpc } from '../../rpc.ts';
import type { Scheme } from '../../scheme.ts';
import { meterOf } from '../../settlement-meter.ts';
import { loadSign, type SignDigest } from '../../sign.ts';
import type { OpenSchemeOptions } from '../entry.ts';
import { createReadChannels, createReadUnsettled, oneOf } from './chain.ts';
import { Channels } from './channels.ts';
import { ChannelClaims } from './claims.ts';
import { channelFacilitators } from './configured.ts';
import { createChannelDigests } from './digests.ts';
import { FacilitatorRequests } from './facilitator-requests.ts';
import { Refunds } from './refunds.ts';
import { createChannelScheme } from './scheme.ts';
import { createSignatureCheck } from './signatures.ts';
import { ChannelTally } from './tally.ts';

/** The scheme with the facilitators and the node that are configured. Rejects where channels cannot be kept. */
export async function openChannels(options: OpenSchemeOptions): Promise<Scheme> {
  const { config, routes, ledger, clock, node } = options;
  const { seller, channels: terms, rpcUrl } = config;
  const { accounts } = ledger;
  if (terms === undefined || rpcUrl === undefined || accounts === undefined)
    throw new Error('channels need their key, a node, and a ledger that keeps accounts');
  const multicall = createMulticall(createRpc(rpcUrl));
  const readChannels = createReadChannels(multicall, clock, node && ((at) => node.note(at)));
  const digests = createChannelDigests(seller.network.chainId);
  const parts = {
    seller,
    terms,
    facilitators: new FacilitatorList(await channelFacilitators(options), meterOf(config)),
    channels: new Channels(accounts, clock),
    readChannel: oneOf(readChannels),
    readChannels,
    readUnsettled: createReadUnsettled(multicall, seller),
    digests,
    clock,
  };
  const tally = new ChannelTally();
  const requests = new FacilitatorRequests({
    ...parts,
    signAs: await loadSigners(terms),
    observe: (kind, outcome) => tally.ended(kind, outcome),
  });
  const signatures = createSignatureCheck(seller, digests, await loadCheckSigner());
  const refunds = new Refunds({ ...parts, requests, signatures });
  return createChannelScheme({
    ...parts,
    routes,
    tally,
    watch: new ChannelClaims({
      ...parts,
      requests,
      refunds,
      payments: ledger,
      owner: ledger.owner,
      withdrawDelay: terms.withdrawDelay,
    }),
    refunds,
    signatures,
  });
}

/** Signs by every key that is configured. */
async function loadSigners(terms: ChannelsConfig): Promise<(authorizer: string) => SignDigest | undefined> {
  const { authorizerKey: privateKey, receiverAuthorizer: address, formerKeys = [] } = terms;
  const signers = new Map<string, SignDigest>();
  for (const key of [{ privateKey, address }, ...formerKeys])
    signers.set(key.address.toLowerCase(), await loadSign(key.privateKey));
  return (authorizer) => signers.get(authorizer);
}

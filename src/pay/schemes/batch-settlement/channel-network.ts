import { sameAddress } from '../../address.ts';
import { NETWORKS, type PaymentNetwork } from '../../networks.ts';
import type { ChannelConfig } from './channel.ts';
import { createChannelDigests } from './digests.ts';

const KNOWN = Object.values(NETWORKS);

/**
 * The network of a channel by CAIP-2 name. Each network has a USDC of its own, by which it is known without a hash; a channel in
 * another token is of the network whose chain is in its id. Undefined of a network that is not in the table.
 */
export function networkOfChannel(id: string, config: ChannelConfig): string | undefined {
  const byToken = KNOWN.find(({ asset }) => sameAddress(asset, config.token));
  return (byToken ?? KNOWN.find((network) => isOn(network, id, config)))?.id;
}

const isOn = ({ chainId }: PaymentNetwork, id: string, config: ChannelConfig): boolean =>
  createChannelDigests(chainId).channelId(config) === id;

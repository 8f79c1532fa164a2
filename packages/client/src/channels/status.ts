import { usdOf } from '../usd.ts';
import { type ChannelRecord, unspentOf } from './channel.ts';
import type { ChannelStatus } from './options.ts';

/** A channel as its owner sees it. */
export function statusOf(record: ChannelRecord): ChannelStatus {
  const { id, network, config, origin, charged, deposited } = record;
  return {
    id,
    network,
    origin,
    payer: config.payer,
    seller: config.receiver,
    state: stateOf(record),
    depositedUsd: usdOf(BigInt(deposited)),
    spentUsd: usdOf(BigInt(charged)),
    leftUsd: usdOf(unspentOf(record)),
    withdrawDelaySeconds: config.withdrawDelay,
  };
}

function stateOf({ closedAt, isDisputed }: ChannelRecord): ChannelStatus['state'] {
  if (closedAt !== undefined) return 'closed';
  return isDisputed === true ? 'disputed' : 'open';
}

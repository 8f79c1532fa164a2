import { usdOf } from '../usd.ts';
import { type ChannelRecord, unspentOf } from './channel.ts';
import type { ChannelStatus } from './options.ts';

/** A channel as its owner sees it. */
export function statusOf(record: ChannelRecord): ChannelStatus {
  const { id, network, config, origin, charged, deposited, closedAt } = record;
  return {
    id,
    network,
    origin,
    payer: config.payer,
    seller: config.receiver,
    state: closedAt === undefined ? 'open' : 'closed',
    depositedUsd: usdOf(BigInt(deposited)),
    spentUsd: usdOf(BigInt(charged)),
    leftUsd: usdOf(unspentOf(record)),
    withdrawDelaySeconds: config.withdrawDelay,
  };
}

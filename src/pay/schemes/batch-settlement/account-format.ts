import { asMs } from '../../../domain/units.ts';
import { SECOND_MS } from '../../../runtime/duration.ts';
import type { AccountFormat } from '../../account.ts';
import type { ChannelPayment } from './channel.ts';
import { networkOfChannel } from './channel-network.ts';
import { claimDueAt, DEFAULT_POLICY } from './claim-policy.ts';
import { type Channel, stageOf } from './lifecycle.ts';
import { SCHEME_NAME } from './terms.ts';

/** Channels as accounts of a ledger. A row without terms is none: processes share a lease in one. */
export const CHANNEL_ACCOUNTS: AccountFormat<ChannelPayment> = {
  idOf: ({ voucher }) => voucher.channelId,
  view({ id, version, row }) {
    const channel = JSON.parse(row) as Channel | { readonly config?: undefined };
    if (channel.config === undefined) return undefined;
    const { config, chain, charged, owedSince, usedAt } = channel;
    return {
      id,
      scheme: SCHEME_NAME,
      network: networkOfChannel(id, config),
      payer: config.payer,
      stage: stageOf(channel),
      balance: BigInt(chain.balance),
      charged: BigInt(charged),
      claimed: BigInt(chain.claimed),
      owedSince,
      dueAt: claimDueAt({ id, version, channel }, DEFAULT_POLICY),
      usedAt,
      seenAt: chain.seenAt,
      leavesAt:
        chain.withdrawAt === 0 ? undefined : asMs((chain.withdrawAt + config.withdrawDelay) * SECOND_MS),
    };
  },
};

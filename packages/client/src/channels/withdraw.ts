import type { ChannelConfig } from './channel.ts';
import { CHANNEL_CONTRACT, callOf } from './digests.ts';
import type { WithdrawCall } from './options.ts';

/** The two transactions by which a payer takes money out of a channel without the seller. @param amount atomic units */
export function withdrawCalls(
  config: ChannelConfig,
  amount: bigint,
): { readonly initiate: WithdrawCall; readonly finalize: WithdrawCall } {
  const call = (data: string) => ({ from: config.payer, to: CHANNEL_CONTRACT, data });
  return {
    initiate: call(callOf('initiateWithdraw', config, amount)),
    finalize: call(callOf('finalizeWithdraw', config)),
  };
}

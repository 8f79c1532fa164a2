import type { Clock } from '../../../domain/clock.ts';
import { readText } from '../../../domain/read.ts';
import { selectorOf } from '../../abi.ts';
import { type Rpc, RpcError } from '../../rpc.ts';
import { SETTLEMENT_CONTRACT } from './contract.ts';
import type { ChainView } from './lifecycle.ts';

/** Asks the chain for a channel. Rejects where the node does not answer. */
export type ReadChannel = (channelId: string) => Promise<ChainView>;

const CHANNELS = selectorOf('channels(bytes32)');
const WITHDRAWALS = selectorOf('pendingWithdrawals(bytes32)');
const REFUND_NONCE = selectorOf('refundNonce(bytes32)');

/** Reads channels from the contract. One that was never opened has nothing in it. */
export function createReadChannel(rpc: Rpc, clock: Clock): ReadChannel {
  const call = async (method: string, channelId: string): Promise<readonly bigint[]> => {
    const data = method + channelId.slice(2);
    const answer = readText(await rpc('eth_call', [{ to: SETTLEMENT_CONTRACT, data }, 'latest']));
    const words = answer?.slice(2).match(/[0-9a-f]{64}/gi) ?? [];
    if (words.length === 0) throw new RpcError('eth_call: no channel contract');
    return words.map((word) => BigInt(`0x${word}`));
  };
  return async (channelId) => {
    const seenAt = clock.now();
    const [[balance = 0n, claimed = 0n], [, withdrawAt = 0n], [refundNonce = 0n]] = await Promise.all([
      call(CHANNELS, channelId),
      call(WITHDRAWALS, channelId),
      call(REFUND_NONCE, channelId),
    ]);
    return {
      balance: balance.toString(),
      claimed: claimed.toString(),
      withdrawAt: Number(withdrawAt),
      refundNonce: refundNonce.toString(),
      seenAt,
    };
  };
}

import type { Clock } from '../../../domain/clock.ts';
import { readText } from '../../../domain/read.ts';
import { addressWord, selectorOf } from '../../abi.ts';
import { type Rpc, RpcError } from '../../rpc.ts';
import type { Seller } from '../../seller.ts';
import { SETTLEMENT_CONTRACT } from './contract.ts';
import type { ChainView } from './lifecycle.ts';

/** Asks the chain for a channel. Rejects where the node does not answer. */
export type ReadChannel = (channelId: string) => Promise<ChainView>;

const CHANNELS = selectorOf('channels(bytes32)');
const WITHDRAWALS = selectorOf('pendingWithdrawals(bytes32)');
const REFUND_NONCE = selectorOf('refundNonce(bytes32)');

/** Asks the chain for what was claimed and is not settled yet, atomic units. Rejects where the node does not answer. */
export type ReadUnsettled = () => Promise<bigint>;

const RECEIVERS = selectorOf('receivers(address,address)');

/** Asks the contract; the answer in words. */
async function callContract(rpc: Rpc, data: string): Promise<readonly bigint[]> {
  const answer = readText(await rpc('eth_call', [{ to: SETTLEMENT_CONTRACT, data }, 'latest']));
  const words = answer?.slice(2).match(/[0-9a-f]{64}/gi) ?? [];
  if (words.length === 0) throw new RpcError('eth_call: no channel contract');
  return words.map((word) => BigInt(`0x${word}`));
}

/** Reads what the contract holds for a seller. */
export function createReadUnsettled(
  rpc: Rpc,
  { payTo, asset }: Pick<Seller, 'payTo' | 'asset'>,
): ReadUnsettled {
  const data = RECEIVERS + addressWord(payTo) + addressWord(asset);
  return async () => {
    const [claimed = 0n, settled = 0n] = await callContract(rpc, data);
    return claimed - settled;
  };
}

/** Reads channels from the contract. One that was never opened has nothing in it. */
export function createReadChannel(rpc: Rpc, clock: Clock): ReadChannel {
  const call = (method: string, channelId: string) => callContract(rpc, method + channelId.slice(2));
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

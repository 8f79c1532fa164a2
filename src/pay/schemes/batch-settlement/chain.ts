import type { Clock } from '../../../domain/clock.ts';
import { asMs, type UnixMs } from '../../../domain/units.ts';
import { SECOND_MS } from '../../../runtime/duration.ts';
import { addressWord, selectorOf } from '../../abi.ts';
import { BLOCK_TIME, type ContractCall, type Multicall } from '../../multicall.ts';
import type { Seller } from '../../seller.ts';
import type { ChainView } from './chain-view.ts';
import { SETTLEMENT_CONTRACT } from './contract.ts';

/** Asks the chain for a channel. Rejects where the node does not answer. */
export type ReadChannel = (channelId: string) => Promise<ChainView>;
/** The same of several, in their order. */
export type ReadChannels = (channelIds: readonly string[]) => Promise<readonly ChainView[]>;

/** Asks the chain for what was claimed for receivers and is not settled yet, atomic units. Rejects where the node does not answer. */
export type ReadUnsettled = (receivers: readonly string[]) => Promise<readonly bigint[]>;

const RECEIVERS = selectorOf('receivers(address,address)');
const VIEWS = ['channels(bytes32)', 'pendingWithdrawals(bytes32)', 'refundNonce(bytes32)'].map(selectorOf);

/** All that was claimed for a seller over its channels, and the part of it that was paid out; atomic units. */
export interface Received {
  readonly claimed: bigint;
  readonly settled: bigint;
}

/** Asks the contract for it. Rejects where the node does not answer. */
export async function readReceived(
  multicall: Multicall,
  { payTo, asset }: Pick<Seller, 'payTo' | 'asset'>,
): Promise<Received> {
  const [sums = []] = await multicall([receivedBy(payTo, asset)]);
  const [claimed = 0n, settled = 0n] = sums;
  return { claimed, settled };
}

const receivedBy = (receiver: string, asset: string): ContractCall => ({
  to: SETTLEMENT_CONTRACT,
  data: RECEIVERS + addressWord(receiver) + addressWord(asset),
});

/** Reads what the contract holds of a token for receivers. */
export const createReadUnsettled =
  (multicall: Multicall, { asset }: Pick<Seller, 'asset'>): ReadUnsettled =>
  async (receivers) => {
    const answers = await multicall(receivers.map((receiver) => receivedBy(receiver, asset)));
    return answers.map(([claimed = 0n, settled = 0n]) => claimed - settled);
  };

/**
 * Reads channels from the contract. One that was never opened has nothing in it.
 *
 * @param noteBlock hears the time of the block at which they were read; without it that is not asked for
 */
export function createReadChannels(
  multicall: Multicall,
  clock: Clock,
  noteBlock?: (at: UnixMs) => void,
): ReadChannels {
  return async (channelIds) => {
    const seenAt = clock.now();
    const timed = noteBlock === undefined ? [] : [BLOCK_TIME];
    const all = await multicall([...channelIds.flatMap(callsFor), ...timed]);
    const time = noteBlock === undefined ? undefined : all.at(-1)?.[0];
    const blockAt = time === undefined ? undefined : asMs(Number(time) * SECOND_MS);
    if (blockAt !== undefined) noteBlock?.(blockAt);
    const at = { seenAt, ...(blockAt !== undefined && { blockAt }) };
    return channelIds.map((_, i) => viewOf(all.slice(i * VIEWS.length, (i + 1) * VIEWS.length), at));
  };
}

/** Reads one of them. */
export const oneOf =
  (readChannels: ReadChannels): ReadChannel =>
  async (channelId) => {
    const [view] = await readChannels([channelId]);
    if (view === undefined) throw new Error('a channel without an answer');
    return view;
  };

const callsFor = (channelId: string): readonly ContractCall[] =>
  VIEWS.map((method) => ({ to: SETTLEMENT_CONTRACT, data: method + channelId.slice(2) }));

function viewOf(
  [channel = [], withdrawal = [], refunds = []]: readonly (readonly bigint[])[],
  at: Pick<ChainView, 'seenAt' | 'blockAt'>,
): ChainView {
  const [balance = 0n, claimed = 0n] = channel;
  const [, withdrawAt = 0n] = withdrawal;
  const [refundNonce = 0n] = refunds;
  return {
    balance: balance.toString(),
    claimed: claimed.toString(),
    withdrawAt: Number(withdrawAt),
    refundNonce: refundNonce.toString(),
    ...at,
  };
}

import { systemClock } from '../../domain/clock.ts';
import { topicOf } from '../../pay/abi.ts';
import { createMulticall } from '../../pay/multicall.ts';
import { type Rpc, RpcError } from '../../pay/rpc.ts';
import { createReadChannels } from '../../pay/schemes/batch-settlement/chain.ts';
import { SETTLEMENT_CONTRACT } from '../../pay/schemes/batch-settlement/contract.ts';
import { type BlockRange, type ChainLog, readLogs } from './chain-logs.ts';

const DEPOSITED = topicOf('Deposited(bytes32,address,uint128,uint128)');
const CLAIMED = topicOf('Claimed(bytes32,address,uint128,uint128)');
const REFUNDED = topicOf('Refunded(bytes32,address,uint128)');
/** Channels of one log query. */
const AT_ONCE = 50;

/** The money of one channel on the chain, atomic units. */
export interface ChannelMoves {
  /** All that was deposited, less what was withdrawn or refunded. */
  readonly balance: bigint;
  /** The part of it that was claimed. */
  readonly claimed: bigint;
  /** Sums of the contract's events within the blocks that were read. */
  readonly deposited: bigint;
  readonly refunded: bigint;
  readonly lastClaim: Pick<ChainLog, 'transaction' | 'block'> | undefined;
}

/**
 * Reads what moved in channels, and what they hold with the last of these blocks. Rejects where the node does not answer, or
 * does not show all events of a channel whose life is within the blocks.
 */
export async function readMoves(
  rpc: Rpc,
  ids: readonly string[],
  range: BlockRange,
): Promise<ReadonlyMap<string, ChannelMoves>> {
  const readChannels = createReadChannels(createMulticall(rpc, range.toBlock), systemClock);
  const found = new Map<string, ChannelMoves>();
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    const topics = [[DEPOSITED, CLAIMED, REFUNDED], some];
    const logs = await readLogs(rpc, { address: SETTLEMENT_CONTRACT, topics }, range);
    for (const [i, view] of (await readChannels(some)).entries()) {
      const id = some[i] ?? '';
      const own = logs.filter((log) => log.topics[1] === id.toLowerCase());
      found.set(id, movesOf(id, own, { balance: BigInt(view.balance), claimed: BigInt(view.claimed) }));
    }
  }
  return found;
}

function movesOf(
  id: string,
  logs: readonly ChainLog[],
  held: Pick<ChannelMoves, 'balance' | 'claimed'>,
): ChannelMoves {
  const of = (topic: string): readonly ChainLog[] => logs.filter(({ topics }) => topics[0] === topic);
  const sum = (some: readonly ChainLog[]): bigint =>
    some.reduce((total, { data }) => total + wordOf(data, 0), 0n);
  const claims = of(CLAIMED);
  const deposits = of(DEPOSITED);
  const moves = { ...held, deposited: sum(deposits), refunded: sum(of(REFUNDED)), lastClaim: claims.at(-1) };
  // The rest of the deposits was withdrawn.
  const isWhole = sum(claims) === held.claimed && moves.deposited - moves.refunded >= held.balance;
  if (!isWhole && isFirst(deposits[0]))
    throw new RpcError(`eth_getLogs: not all events of the channel ${id}`);
  return moves;
}

/** The deposit that opened a channel is all that the channel had after it. */
const isFirst = (log: ChainLog | undefined): boolean =>
  log !== undefined && wordOf(log.data, 0) === wordOf(log.data, 1);

/** A number in the data of a log. */
function wordOf(data: string, index: number): bigint {
  const word = data.slice(2 + index * 64, 66 + index * 64);
  if (word.length !== 64) throw new RpcError('eth_getLogs: no event of a channel');
  return BigInt(`0x${word}`);
}

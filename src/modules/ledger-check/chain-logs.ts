import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import { quantityText, type Rpc, RpcError, readQuantity } from '../../pay/rpc.ts';

/** Nodes limit how many blocks one log query may span. */
const WINDOW_BLOCKS = 5_000;

/** Blocks, both included. */
export interface BlockRange {
  readonly fromBlock: number;
  readonly toBlock: number;
}

/** Logs of one contract by their topics, as `eth_getLogs` takes them. */
export interface LogFilter {
  readonly address: string;
  readonly topics: readonly (string | readonly string[] | null)[];
}

/** A log of a contract. */
export interface ChainLog {
  /** Lower case. */
  readonly transaction: string;
  readonly block: number;
  /** Place in its block. */
  readonly logIndex: number;
  /** Lower case. */
  readonly topics: readonly string[];
  readonly data: string;
}

/** All logs of these blocks, in the order of the chain. Rejects where the node does not answer. */
export async function readLogs(
  rpc: Rpc,
  filter: LogFilter,
  { fromBlock, toBlock }: BlockRange,
): Promise<readonly ChainLog[]> {
  const found: ChainLog[] = [];
  for (let from = fromBlock; from <= toBlock; from += WINDOW_BLOCKS) {
    const to = Math.min(toBlock, from + WINDOW_BLOCKS - 1);
    const { address, topics } = filter;
    const asked = { address, topics, fromBlock: quantityText(from), toBlock: quantityText(to) };
    const logs = wireArray(await rpc('eth_getLogs', [asked]));
    if (logs === undefined) throw new RpcError('eth_getLogs: no list');
    for (const log of logs) found.push(readLog(log));
  }
  return found;
}

function readLog(log: unknown): ChainLog {
  const wire: Wire = isWire(log) ? log : {};
  const transaction = readText(wire.transactionHash)?.toLowerCase();
  const block = readQuantity(wire.blockNumber);
  const index = readQuantity(wire.logIndex);
  const topics = (wireArray(wire.topics) ?? []).map((topic) => readText(topic)?.toLowerCase() ?? '');
  const data = readText(wire.data);
  if (transaction === undefined || block === undefined || index === undefined || data === undefined) {
    throw new RpcError('eth_getLogs: no log');
  }
  return { transaction, block: Number(block), logIndex: Number(index), topics, data };
}

import { isWire, type Wire } from '../domain/read.ts';
import { quantityText, type Rpc, readQuantity } from './rpc.ts';

export interface Block {
  readonly number: number;
  /** Unix seconds. */
  readonly time: number;
}

/** The newest block; undefined where the node's answer makes no sense. */
export function latestBlock(rpc: Rpc): Promise<Block | undefined> {
  return readBlock(rpc, 'latest');
}

/**
 * The last block that was made by then, found by halving: some twenty-five calls on a long chain. Undefined where all
 * blocks are later, or the node's answer makes no sense.
 *
 * @param time Unix seconds
 */
export async function lastBlockBy(rpc: Rpc, time: number, latest: Block): Promise<Block | undefined> {
  if (latest.time <= time) return latest;
  let before = await readBlock(rpc, quantityText(0));
  if (before === undefined || before.time > time) return undefined;
  let after = latest;
  while (after.number - before.number > 1) {
    const middle = await readBlock(rpc, quantityText(Math.floor((before.number + after.number) / 2)));
    if (middle === undefined) return undefined;
    if (middle.time <= time) before = middle;
    else after = middle;
  }
  return before;
}

async function readBlock(rpc: Rpc, tag: string): Promise<Block | undefined> {
  const block = await rpc('eth_getBlockByNumber', [tag, false]);
  if (!isWire(block)) return undefined;
  const number = readQuantity(block.number);
  const time = readQuantity(block.timestamp);
  return number === undefined || time === undefined
    ? undefined
    : { number: Number(number), time: Number(time) };
}

/** True if a receipt lies under enough blocks, its own included. */
export async function isDeepEnough(rpc: Rpc, receipt: Wire, confirmations: number): Promise<boolean> {
  if (confirmations <= 1) return true;
  const mined = readQuantity(receipt.blockNumber);
  const latest = readQuantity(await rpc('eth_blockNumber', []));
  return mined !== undefined && latest !== undefined && latest - mined + 1n >= BigInt(confirmations);
}

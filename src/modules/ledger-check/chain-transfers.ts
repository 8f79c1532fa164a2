import { isWire, readText, type Wire, wireArray } from '../../domain/read.ts';
import { AUTHORIZATION_USED, addressWord, TRANSFER } from '../../pay/abi.ts';
import { quantityText, type Rpc, RpcError, readQuantity } from '../../pay/rpc.ts';

/** Nodes limit how many blocks one log query may span. */
const WINDOW_BLOCKS = 5_000;

/** Money that the chain moved to the seller. */
export interface ChainTransfer {
  readonly transaction: string;
  readonly block: number;
  /** Place in its block. */
  readonly logIndex: number;
  /** Lower case, as the next. */
  readonly payer: string;
  /** Atomic units. */
  readonly amount: bigint;
}

export interface TransferQuery {
  readonly asset: string;
  readonly payTo: string;
  readonly fromBlock: number;
  readonly toBlock: number;
}

/** All transfers of the token to the seller in these blocks, both included. Rejects where the node does not answer. */
export async function readTransfers(rpc: Rpc, query: TransferQuery): Promise<readonly ChainTransfer[]> {
  const found: ChainTransfer[] = [];
  for (let from = query.fromBlock; from <= query.toBlock; from += WINDOW_BLOCKS) {
    const filter = {
      address: query.asset,
      topics: [TRANSFER, null, `0x${addressWord(query.payTo)}`],
      fromBlock: quantityText(from),
      toBlock: quantityText(Math.min(query.toBlock, from + WINDOW_BLOCKS - 1)),
    };
    const logs = wireArray(await rpc('eth_getLogs', [filter]));
    if (logs === undefined) throw new RpcError('eth_getLogs: no list');
    for (const log of logs) found.push(readTransfer(log));
  }
  return found;
}

function readTransfer(log: unknown): ChainTransfer {
  const wire: Wire = isWire(log) ? log : {};
  const transaction = readText(wire.transactionHash)?.toLowerCase();
  const payer = readText(wireArray(wire.topics)?.[1]);
  const [amount, block, index] = [wire.data, wire.blockNumber, wire.logIndex].map(readQuantity);
  if (transaction === undefined || payer === undefined) throw new RpcError('eth_getLogs: no transfer');
  if (amount === undefined || block === undefined || index === undefined) {
    throw new RpcError('eth_getLogs: no transfer');
  }
  return {
    transaction,
    block: Number(block),
    logIndex: Number(index),
    payer: `0x${payer.slice(-40)}`.toLowerCase(),
    amount,
  };
}

/**
 * The nonces of the authorizations of one payer that a transaction used, each with the place of its log. Rejects where
 * the node does not answer.
 */
export async function usedNonces(
  rpc: Rpc,
  { asset, transaction, payer }: { asset: string; transaction: string; payer: string },
): Promise<readonly { readonly nonce: string; readonly logIndex: number }[]> {
  const receipt = await rpc('eth_getTransactionReceipt', [transaction]);
  const logs = (isWire(receipt) ? (wireArray(receipt.logs) ?? []) : []).filter(isWire);
  return logs.flatMap((log) => {
    const [event, by, nonce] = (wireArray(log.topics) ?? []).map((topic) => readText(topic)?.toLowerCase());
    const isUse =
      readText(log.address)?.toLowerCase() === asset.toLowerCase() &&
      event === AUTHORIZATION_USED &&
      by === `0x${addressWord(payer)}` &&
      nonce !== undefined;
    return isUse ? [{ nonce, logIndex: Number(readQuantity(log.logIndex) ?? 0n) }] : [];
  });
}

import { isWire, readText, wireArray } from '../../domain/read.ts';
import { AUTHORIZATION_USED, addressWord, TRANSFER } from '../../pay/abi.ts';
import { type Rpc, RpcError, readQuantity } from '../../pay/rpc.ts';
import { type BlockRange, type ChainLog, readLogs } from './chain-logs.ts';

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

export interface TransferQuery extends BlockRange {
  readonly asset: string;
  readonly payTo: string;
}

/** All transfers of the token to the seller in these blocks. Rejects where the node does not answer. */
export async function readTransfers(rpc: Rpc, query: TransferQuery): Promise<readonly ChainTransfer[]> {
  const topics = [TRANSFER, null, `0x${addressWord(query.payTo)}`];
  return (await readLogs(rpc, { address: query.asset, topics }, query)).map(transferOf);
}

function transferOf({ transaction, block, logIndex, topics, data }: ChainLog): ChainTransfer {
  const payer = readText(topics[1]);
  const amount = readQuantity(data);
  if (payer === undefined || amount === undefined) throw new RpcError('eth_getLogs: no transfer');
  return { transaction, block, logIndex, payer: `0x${payer.slice(-40)}`, amount };
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

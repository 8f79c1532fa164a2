import { createGasOracle } from '../../src/modules/self-settle/gas.ts';
import { TransactionQueue } from '../../src/modules/self-settle/transaction-queue.ts';
import type { Call, SignedTransaction, Wallet } from '../../src/modules/self-settle/wallet.ts';
import { quantityText, type Rpc, RpcError } from '../../src/pay/rpc.ts';

/** Wei. */
export const GWEI = 10n ** 9n;
export const CALL: Call = { to: '0xb0b', data: '0xca11', gas: 100_000n };

/** A node with set answers; it mines no block by itself. */
export interface FakeNode {
  readonly rpc: Rpc;
  readonly wallet: Wallet;
  /** Transactions sent to it, in order. */
  readonly sent: SignedTransaction[];
  /** Its answers to transactions, in order; after that it takes them. */
  readonly answers: (Error | Promise<Error | undefined> | undefined)[];
  /** Numbers that are used. */
  used: number;
  baseFee: bigint;
  tip: bigint;
  /** It does not say what gas costs. */
  isPriceless: boolean;
}

/** A node's own words against a transaction. */
export const refusal = (message: string, code = -32000): RpcError =>
  new RpcError(`eth_sendRawTransaction: ${message}`, { code, message, data: '' });

export function fakeNode(): FakeNode {
  const signed = new Map<unknown, SignedTransaction>();
  const node: FakeNode = {
    sent: [],
    answers: [],
    used: 0,
    baseFee: 10n * GWEI,
    tip: GWEI,
    isPriceless: false,
    wallet: {
      address: '0xfac',
      async sign(call, nonce, fees) {
        const id = (signed.size + 1).toString(16);
        const transaction = { nonce, call, fees, hash: `hash ${id}`, raw: `0x${id}` } as const;
        signed.set(transaction.raw, transaction);
        return transaction;
      },
    },
    async rpc(method, [first]) {
      if (method === 'eth_sendRawTransaction') return taken(node, signed.get(first));
      if (method === 'eth_getTransactionCount') return quantityText(node.used);
      if (node.isPriceless) throw new RpcError(`${method}: TimeoutError`);
      if (method === 'eth_maxPriorityFeePerGas') return quantityText(node.tip);
      return { baseFeePerGas: quantityText(node.baseFee) };
    },
  };
  return node;
}

async function taken(node: FakeNode, transaction: SignedTransaction | undefined): Promise<unknown> {
  if (transaction !== undefined) node.sent.push(transaction);
  const fault = await node.answers.shift();
  if (fault !== undefined) throw fault;
  return transaction?.hash;
}

/** The outbox of the node's account. */
export function transactionQueueOf(
  { rpc, wallet }: FakeNode,
  maxFeePerGas = 1_000n * GWEI,
): TransactionQueue {
  return new TransactionQueue({
    rpc,
    wallet,
    gas: createGasOracle({ rpc, address: wallet.address, maxFeePerGas }),
  });
}

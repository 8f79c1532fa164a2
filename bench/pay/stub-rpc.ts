import { AUTHORIZATION_USED, selectorOf, TRANSFER } from '../../src/pay/abi.ts';
import { keccak256 } from '../../src/pay/keccak.ts';
import { quantityText, type Rpc, RpcError } from '../../src/pay/rpc.ts';
import type { Seller } from '../../src/pay/seller.ts';

const ARGUMENTS = 'address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32';
const TRANSFER_CALL = selectorOf(`transferWithAuthorization(${ARGUMENTS})`).slice(2);
const BLOCK_HASH = `0x${'cd'.repeat(32)}`;
const GWEI = 1_000_000_000n;

/** Answers what facilitators ask a node, without a node: from memory, at once; what is sent is mined. */
export function createStubRpc(seller: Seller): Rpc {
  const receipts = new Map<string, unknown>();
  let sent = 0;
  const block = {
    number: quantityText(1_000_000),
    hash: BLOCK_HASH,
    baseFeePerGas: quantityText(GWEI),
    timestamp: quantityText(Math.floor(Date.now() / 1000)),
    gasLimit: quantityText(60_000_000),
    gasUsed: quantityText(1_000_000),
    transactions: [],
  };
  const constant: Readonly<Record<string, unknown>> = {
    eth_chainId: quantityText(seller.network.chainId),
    eth_blockNumber: block.number,
    eth_getBlockByNumber: block,
    eth_maxPriorityFeePerGas: quantityText(1_000_000),
    eth_gasPrice: quantityText(GWEI),
    eth_estimateGas: quantityText(85_000),
    eth_getBalance: quantityText(10n ** 21n),
    eth_call: '0x',
  };
  const send = (raw: string): string => {
    const hash = `0x${keccak256(Buffer.from(raw.slice(2), 'hex')).toString('hex')}`;
    receipts.set(hash, transferReceipt(seller, hash, movedBy(raw), block.number));
    sent++;
    return hash;
  };
  return async (method, [first]) => {
    if (method === 'eth_sendRawTransaction') return send(String(first));
    if (method === 'eth_getTransactionReceipt') return receipts.get(String(first)) ?? null;
    if (method === 'eth_getTransactionCount') return quantityText(sent);
    if (method === 'eth_getCode') return isSame(first, seller.asset) ? '0x60' : '0x';
    const answer = constant[method];
    if (answer !== undefined) return answer;
    throw new RpcError(method, { code: -32601, message: 'the method does not exist', data: '' });
  };
}

const isSame = (a: unknown, b: string): boolean => String(a).toLowerCase() === b.toLowerCase();

/** A transfer by authorization, each member a word of 32 bytes in hex. */
export interface Moved {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly nonce: string;
}

/** The transfer that is called in a transaction. */
function movedBy(raw: string): Moved {
  const at = raw.indexOf(TRANSFER_CALL);
  if (at < 0) throw new RpcError('not a transfer by authorization');
  const word = (i: number): string => `0x${raw.slice(at + 8 + 64 * i, at + 8 + 64 * (i + 1))}`;
  return { from: word(0), to: word(1), value: word(2), nonce: word(5) };
}

/** The receipt of a transfer by authorization. */
export function transferReceipt(
  seller: Seller,
  transactionHash: string,
  { from, to, value, nonce }: Moved,
  blockNumber: string,
): unknown {
  const log = { address: seller.asset, blockNumber, blockHash: BLOCK_HASH, transactionHash, removed: false };
  const used = {
    ...log,
    logIndex: '0x0',
    transactionIndex: '0x0',
    topics: [AUTHORIZATION_USED, from, nonce],
  };
  const moved = {
    ...log,
    logIndex: '0x1',
    transactionIndex: '0x0',
    topics: [TRANSFER, from, to],
    data: value,
  };
  return {
    transactionHash,
    transactionIndex: '0x0',
    blockNumber,
    blockHash: BLOCK_HASH,
    from: seller.payTo,
    to: seller.asset,
    status: '0x1',
    type: '0x2',
    gasUsed: '0x12000',
    cumulativeGasUsed: '0x12000',
    effectiveGasPrice: quantityText(GWEI),
    contractAddress: null,
    logs: [{ ...used, data: '0x' }, moved],
  };
}

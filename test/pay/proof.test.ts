import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { type Rpc, RpcError } from '../../src/pay/rpc.ts';
import { createRpcVerifier, type ProvenPayment } from '../../src/pay/schemes/exact/proof.ts';

const ABI = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
]);
const ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const PAYER = `0x${'1a'.repeat(20)}` as const;
const PAY_TO = `0x${'2b'.repeat(20)}` as const;
const NONCE = `0x${'3c'.repeat(32)}` as const;
const TX = `0x${'4d'.repeat(32)}`;
const OTHER = `0x${'5e'.repeat(20)}` as const;
const payment: ProvenPayment = {
  asset: ASSET,
  payer: PAYER,
  payTo: PAY_TO,
  amount: '5000',
  nonce: NONCE,
  signed: {
    signature: '0x',
    authorization: {
      from: PAYER,
      to: PAY_TO,
      value: '5000',
      validAfter: '0',
      validBefore: '21000',
      nonce: NONCE,
    },
  },
};

interface Log {
  address: string;
  topics: readonly unknown[];
  data: string;
  transactionHash: string;
}
const log = (topics: readonly unknown[], data = '0x', address: string = ASSET.toLowerCase()): Log => ({
  address,
  topics,
  data,
  transactionHash: TX,
});
const used = (authorizer = PAYER, nonce = NONCE) =>
  log(encodeEventTopics({ abi: ABI, eventName: 'AuthorizationUsed', args: { authorizer, nonce } }));
const cancelled = () =>
  log(
    encodeEventTopics({
      abi: ABI,
      eventName: 'AuthorizationCanceled',
      args: { authorizer: PAYER, nonce: NONCE },
    }),
  );
const transfer = (from: `0x${string}` = PAYER, to: `0x${string}` = PAY_TO, value = 5000n, address?: string) =>
  log(
    encodeEventTopics({ abi: ABI, eventName: 'Transfer', args: { from, to } }),
    encodeAbiParameters([{ type: 'uint256' }], [value]),
    address,
  );

interface Chain {
  used?: boolean;
  receipt?: { status: string; logs: readonly Log[] } | null;
  logs?: readonly Log[];
  latest?: bigint;
}

/** A node that knows one transaction; block n is made at n seconds. */
function node({ used: state = false, receipt = null, logs = [], latest = 100n }: Chain) {
  const ranges: [bigint, bigint][] = [];
  const blockAt = (number: bigint) => ({
    number: `0x${number.toString(16)}`,
    timestamp: `0x${number.toString(16)}`,
  });
  const rpc: Rpc = async (method, params) => {
    const [first] = params as [unknown];
    switch (method) {
      case 'eth_getTransactionReceipt':
        return first === TX ? receipt : null;
      case 'eth_getBlockByNumber':
        return blockAt(first === 'latest' ? latest : BigInt(first as string));
      case 'eth_call':
        return `0x${(state ? '1' : '0').padStart(64, '0')}`;
      case 'eth_getLogs': {
        const filter = first as { fromBlock: string; toBlock: string };
        ranges.push([BigInt(filter.fromBlock), BigInt(filter.toBlock)]);
        return ranges.length === 1 && latest > 20_000n ? [] : logs;
      }
      default:
        throw new RpcError(method);
    }
  };
  return { proof: createRpcVerifier(rpc), ranges };
}
const success = (...logs: Log[]) => ({ status: '0x1', logs });

describe('the proof on chain', () => {
  it('is AuthorizationUsed and the exact Transfer in one successful receipt', async () => {
    const { proof } = node({ receipt: success(used(), transfer()) });
    expect(await proof.prove(payment, TX)).toEqual({ kind: 'settled', transaction: TX });
  });

  it('stands in a receipt that settles several payments', async () => {
    const receipt = success(used(OTHER), transfer(OTHER), used(), transfer());
    expect(await node({ receipt }).proof.prove(payment, TX)).toEqual({ kind: 'settled', transaction: TX });
  });

  it.each([
    ['no AuthorizationUsed (a token that does not revert on a used nonce)', success(transfer())],
    ['no Transfer', success(used())],
    ['another nonce', success(used(PAYER, `0x${'00'.repeat(32)}`), transfer())],
    ['another payer’s authorization', success(used(OTHER), transfer())],
    ['another receiver', success(used(), transfer(PAYER, OTHER))],
    ['another sender', success(used(), transfer(OTHER))],
    ['one unit less', success(used(), transfer(PAYER, PAY_TO, 4999n))],
    ['another token', success(used(), transfer(PAYER, PAY_TO, 5000n, OTHER))],
    [
      'the Transfer of another authorization',
      success(used(PAYER, `0x${'00'.repeat(32)}`), transfer(), used(), transfer(PAYER, OTHER)),
    ],
  ])('is not %s', async (_, receipt) => {
    const { proof } = node({ receipt });
    expect(await proof.prove(payment, TX)).toEqual({ kind: 'unused', chainTime: 100 });
    const seen = await node({ receipt, used: true, logs: [used()] }).proof.prove(payment, TX);
    expect(seen).toEqual({ kind: 'unpaid', transaction: TX, chainTime: 100 });
  });

  it.each([
    ['a reverted transaction', { status: '0x0', logs: [used(), transfer()] }],
    ['no receipt', null],
  ])('is not %s, which says nothing either way', async (_, receipt) => {
    const seen = await node({ receipt, used: true, logs: [used()] }).proof.prove(payment, TX);
    expect(seen).toEqual({ kind: 'unknown', reason: 'no_receipt' });
  });

  it('is found by the nonce where no transaction is known, also far back', async () => {
    const near = node({ used: true, logs: [used()], receipt: success(used(), transfer()) });
    expect(await near.proof.prove(payment)).toEqual({ kind: 'settled', transaction: TX });
    const far = node({ used: true, logs: [used()], receipt: success(used(), transfer()), latest: 30_000n });
    expect(await far.proof.prove(payment)).toEqual({ kind: 'settled', transaction: TX });
    expect(far.ranges).toEqual([
      [25_001n, 30_000n],
      [16_001n, 21_000n],
    ]);
  });

  it('tells a cancelled authorization, and a log that is missing', async () => {
    expect(await node({ used: true, logs: [cancelled()] }).proof.prove(payment)).toEqual({
      kind: 'cancelled',
      transaction: TX,
    });
    expect(await node({ used: true }).proof.prove(payment)).toEqual({
      kind: 'unknown',
      reason: 'no_authorization_log',
    });
  });

  it('is unknown while the node fails', async () => {
    const failing = createRpcVerifier(() => Promise.reject(new RpcError('eth_call: TimeoutError')));
    expect(await failing.prove(payment, TX)).toEqual({ kind: 'unknown', reason: 'RpcError' });
    expect(await createRpcVerifier(async () => null).prove(payment, TX)).toEqual({
      kind: 'unknown',
      reason: 'no_latest_block',
    });
  });
});

import { isWire, readText, type Wire, wireArray } from '../domain/read.ts';
import { keccak256 } from './keccak.ts';
import type { PaymentRecord } from './record.ts';
import type { Rpc } from './rpc.ts';

const topic = (signature: string): string =>
  `0x${keccak256(Buffer.from(signature, 'ascii')).toString('hex')}`;
const AUTHORIZATION_USED = topic('AuthorizationUsed(address,bytes32)');
const AUTHORIZATION_CANCELED = topic('AuthorizationCanceled(address,bytes32)');
const TRANSFER = topic('Transfer(address,address,uint256)');
const AUTHORIZATION_STATE = topic('authorizationState(address,bytes32)').slice(0, 10);

/** Nodes limit how many blocks one log query may span. */
const WINDOW_BLOCKS = 5_000n;
const MAX_WINDOWS = 20;

/** The payment whose fate is asked for. */
export type ProvenPayment = Pick<PaymentRecord, 'asset' | 'payer' | 'payTo' | 'amount' | 'nonce'>;

export type ProofResult =
  | { readonly kind: 'settled'; readonly transaction: string }
  | { readonly kind: 'cancelled'; readonly transaction: string }
  /** Not used by the block of that time (Unix seconds). */
  | { readonly kind: 'unused'; readonly chainTime: number }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The chain's own word on what became of an authorization. Never rejects. */
export interface SettlementProof {
  /** @param transaction where it is said to have been settled */
  prove(payment: ProvenPayment, transaction?: string): Promise<ProofResult>;
}

/**
 * Proof over plain JSON-RPC. Settled means AuthorizationUsed(payer, nonce) and Transfer(payer, payTo, exact value) of
 * the token in one successful receipt, whoever submitted it: that a transaction succeeded proves nothing, since some
 * tokens do not revert on a used nonce, and one transaction may settle several payments.
 */
export function createRpcProof(rpc: Rpc): SettlementProof {
  return {
    async prove(payment, transaction) {
      try {
        if (transaction !== undefined && (await isSettledBy(rpc, payment, transaction))) {
          return { kind: 'settled', transaction };
        }
        return await search(rpc, payment);
      } catch (cause) {
        return { kind: 'unknown', reason: cause instanceof Error ? cause.name : 'rpc_failed' };
      }
    },
  };
}

async function search(rpc: Rpc, payment: ProvenPayment): Promise<ProofResult> {
  const block = await rpc('eth_getBlockByNumber', ['latest', false]);
  const number = isWire(block) ? quantity(block.number) : undefined;
  const time = isWire(block) ? quantity(block.timestamp) : undefined;
  if (number === undefined || time === undefined) return { kind: 'unknown', reason: 'no_latest_block' };
  const used = await isUsed(rpc, payment, number);
  if (used === undefined) return { kind: 'unknown', reason: 'no_authorization_state' };
  if (!used) return { kind: 'unused', chainTime: Number(time) };
  const log = await findUse(rpc, payment, number);
  const transaction = log === undefined ? undefined : readText(log.transactionHash)?.toLowerCase();
  if (log === undefined || transaction === undefined)
    return { kind: 'unknown', reason: 'no_authorization_log' };
  if (wireArray(log.topics)?.[0] === AUTHORIZATION_CANCELED) return { kind: 'cancelled', transaction };
  return (await isSettledBy(rpc, payment, transaction))
    ? { kind: 'settled', transaction }
    : { kind: 'unknown', reason: 'no_matching_transfer' };
}

async function isUsed(rpc: Rpc, payment: ProvenPayment, block: bigint): Promise<boolean | undefined> {
  const data = AUTHORIZATION_STATE + word(payment.payer) + payment.nonce.slice(2);
  const result = await rpc('eth_call', [{ to: payment.asset, data }, hex(block)]);
  return typeof result === 'string' && /^0x[0-9a-f]{64}$/i.test(result) ? BigInt(result) !== 0n : undefined;
}

/** The log that used or cancelled the authorization, searched from the newest block backwards. */
async function findUse(rpc: Rpc, payment: ProvenPayment, latest: bigint): Promise<Wire | undefined> {
  const topics = [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], `0x${word(payment.payer)}`, payment.nonce];
  let to = latest;
  for (let i = 0; i < MAX_WINDOWS && to >= 0n; i++) {
    const from = to >= WINDOW_BLOCKS ? to - WINDOW_BLOCKS + 1n : 0n;
    const filter = { address: payment.asset, topics, fromBlock: hex(from), toBlock: hex(to) };
    const logs = wireArray(await rpc('eth_getLogs', [filter])) ?? [];
    const found = logs.find(isWire);
    if (found !== undefined) return found;
    to = from - 1n;
  }
  return undefined;
}

async function isSettledBy(rpc: Rpc, payment: ProvenPayment, transaction: string): Promise<boolean> {
  const receipt = await rpc('eth_getTransactionReceipt', [transaction]);
  if (!isWire(receipt) || receipt.status !== '0x1') return false;
  const logs = (wireArray(receipt.logs) ?? []).filter(isWire).filter((log) => isOf(log, payment.asset));
  const payer = `0x${word(payment.payer)}`;
  const used = logs.some((log) => hasTopics(log, [AUTHORIZATION_USED, payer, payment.nonce]));
  const paid = logs.some(
    (log) =>
      hasTopics(log, [TRANSFER, payer, `0x${word(payment.payTo)}`]) &&
      quantity(log.data) === BigInt(payment.amount),
  );
  return used && paid;
}

function isOf(log: Wire, asset: string): boolean {
  return readText(log.address)?.toLowerCase() === asset.toLowerCase();
}

function hasTopics(log: Wire, expected: readonly string[]): boolean {
  const topics = wireArray(log.topics) ?? [];
  return expected.every((value, i) => readText(topics[i])?.toLowerCase() === value.toLowerCase());
}

function quantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-fA-F]+$/.test(value) ? BigInt(value) : undefined;
}

function word(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0');
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

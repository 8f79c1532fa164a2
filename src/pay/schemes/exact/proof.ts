import { isWire, readText, type Wire, wireArray } from '../../../domain/read.ts';
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED, addressWord, selectorOf, TRANSFER } from '../../abi.ts';
import { type Block, isDeepEnough, lastBlockBy, latestBlock } from '../../blocks.ts';
import type { PaymentRecord } from '../../record.ts';
import { quantityText, type Rpc, readQuantity } from '../../rpc.ts';
import type { SignedAuthorization } from './authorization.ts';

const AUTHORIZATION_STATE = selectorOf('authorizationState(address,bytes32)');

/** Nodes limit how many blocks one log query may span. */
const WINDOW_BLOCKS = 5_000;

/** The payment whose fate is asked for. */
export type ProvenPayment = Pick<
  PaymentRecord<SignedAuthorization>,
  'asset' | 'payer' | 'payTo' | 'amount' | 'nonce' | 'signed'
>;

export type ProofResult =
  | { readonly kind: 'settled'; readonly transaction: string }
  | { readonly kind: 'cancelled'; readonly transaction: string }
  /** Used in a transaction that succeeded without moving the money: some tokens allow that. Unix seconds. */
  | { readonly kind: 'unpaid'; readonly transaction: string; readonly chainTime: number }
  /** Not used by the block of that time (Unix seconds). */
  | { readonly kind: 'unused'; readonly chainTime: number }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The chain's own word on what became of an authorization. Never rejects. */
export interface SettlementVerifier {
  /** @param transaction the transaction that is claimed to have settled it */
  prove(payment: ProvenPayment, transaction?: string): Promise<ProofResult>;
}

/**
 * Proof over plain JSON-RPC. Settled means AuthorizationUsed(payer, nonce) and Transfer(payer, payTo, exact
 * value) of the token in one successful receipt, independent of the submitter: success of a transaction proves
 * nothing, since some tokens do not revert on a used nonce, and one transaction may settle several payments.
 *
 * @param confirmations blocks, that of the transaction included, after which it counts
 */
export function createRpcVerifier(rpc: Rpc, confirmations = 1): SettlementVerifier {
  const prove = async (payment: ProvenPayment, transaction?: string): Promise<ProofResult> => {
    if (transaction !== undefined && (await isSettledBy(rpc, payment, transaction)) === true) {
      return { kind: 'settled', transaction };
    }
    return search(rpc, payment);
  };
  return {
    async prove(payment, transaction) {
      try {
        const seen = await prove(payment, transaction);
        if (seen.kind !== 'settled' || confirmations <= 1) return seen;
        const receipt = await rpc('eth_getTransactionReceipt', [seen.transaction]);
        const counts = isWire(receipt) && (await isDeepEnough(rpc, receipt, confirmations));
        return counts ? seen : { kind: 'unknown', reason: 'not_confirmed' };
      } catch (cause) {
        return { kind: 'unknown', reason: cause instanceof Error ? cause.name : 'rpc_failed' };
      }
    },
  };
}

async function search(rpc: Rpc, payment: ProvenPayment): Promise<ProofResult> {
  const latest = await latestBlock(rpc);
  if (latest === undefined) return { kind: 'unknown', reason: 'no_latest_block' };
  const used = await isUsed(rpc, payment, latest.number);
  if (used === undefined) return { kind: 'unknown', reason: 'no_authorization_state' };
  const chainTime = latest.time;
  if (!used) return { kind: 'unused', chainTime };
  const log = await findUse(rpc, payment, latest);
  const transaction = log === undefined ? undefined : readText(log.transactionHash)?.toLowerCase();
  if (log === undefined || transaction === undefined)
    return { kind: 'unknown', reason: 'no_authorization_log' };
  if (wireArray(log.topics)?.[0] === AUTHORIZATION_CANCELED) return { kind: 'cancelled', transaction };
  const settled = await isSettledBy(rpc, payment, transaction);
  if (settled === undefined) return { kind: 'unknown', reason: 'no_receipt' };
  return settled ? { kind: 'settled', transaction } : { kind: 'unpaid', transaction, chainTime };
}

async function isUsed(rpc: Rpc, payment: ProvenPayment, block: number): Promise<boolean | undefined> {
  const data = AUTHORIZATION_STATE + addressWord(payment.payer) + payment.nonce.slice(2);
  const result = await rpc('eth_call', [{ to: payment.asset, data }, quantityText(block)]);
  return typeof result === 'string' && /^0x[0-9a-f]{64}$/i.test(result) ? BigInt(result) !== 0n : undefined;
}

/**
 * The log that used or cancelled the authorization: among the latest blocks, else among those before the end of its
 * validity, after which no block can have used it.
 */
async function findUse(rpc: Rpc, payment: ProvenPayment, latest: Block): Promise<Wire | undefined> {
  const recent = await findUseBefore(rpc, payment, latest.number);
  if (recent !== undefined) return recent;
  const last = await lastBlockBy(rpc, Number(payment.signed.authorization.validBefore), latest);
  return last === undefined ? undefined : findUseBefore(rpc, payment, last.number);
}

async function findUseBefore(rpc: Rpc, payment: ProvenPayment, last: number): Promise<Wire | undefined> {
  const filter = {
    address: payment.asset,
    topics: [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], `0x${addressWord(payment.payer)}`, payment.nonce],
    fromBlock: quantityText(Math.max(0, last - WINDOW_BLOCKS + 1)),
    toBlock: quantityText(last),
  };
  return (wireArray(await rpc('eth_getLogs', [filter])) ?? []).find(isWire);
}

/** Undefined where the chain has no receipt of that transaction, or one that says that nothing happened. */
async function isSettledBy(
  rpc: Rpc,
  payment: ProvenPayment,
  transaction: string,
): Promise<boolean | undefined> {
  const receipt = await rpc('eth_getTransactionReceipt', [transaction]);
  return isWire(receipt) && receipt.status === '0x1' ? isPaidBy(receipt, payment) : undefined;
}

/**
 * AuthorizationUsed and the exact Transfer of a payment in one successful receipt. Where the receipt uses several
 * authorizations of one payer, the Transfer is the one that follows (EIP-3009 marks the nonce, then moves the money).
 */
export function isPaidBy(receipt: Wire, payment: Omit<ProvenPayment, 'signed'>): boolean {
  if (receipt.status !== '0x1') return false;
  const logs = (wireArray(receipt.logs) ?? []).filter(isWire).filter((log) => isOf(log, payment.asset));
  const payer = `0x${addressWord(payment.payer)}`;
  const isUse = (log: Wire): boolean => hasTopics(log, [AUTHORIZATION_USED, payer]);
  const isPayment = (log: Wire): boolean =>
    hasTopics(log, [TRANSFER, payer, `0x${addressWord(payment.payTo)}`]) &&
    readQuantity(log.data) === BigInt(payment.amount);
  const at = logs.findIndex((log) => hasTopics(log, [AUTHORIZATION_USED, payer, payment.nonce]));
  if (at < 0) return false;
  if (logs.filter(isUse).length === 1) return logs.some(isPayment);
  const next = logs.slice(at + 1).find((log) => isUse(log) || hasTopics(log, [TRANSFER, payer]));
  return next !== undefined && isPayment(next);
}

function isOf(log: Wire, asset: string): boolean {
  return readText(log.address)?.toLowerCase() === asset.toLowerCase();
}

function hasTopics(log: Wire, expected: readonly string[]): boolean {
  const topics = wireArray(log.topics) ?? [];
  return expected.every((value, i) => readText(topics[i])?.toLowerCase() === value.toLowerCase());
}

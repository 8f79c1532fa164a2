import type { Facilitator, SettleOutcome, VerifyOutcome } from '../../pay/facilitator.ts';
import { type Rpc, RpcError, readQuantity } from '../../pay/rpc.ts';
import { expiryOf } from '../../pay/schemes/authorization-window.ts';
import { isPaidBy } from '../../pay/schemes/exact/proof.ts';
import type { ExactRequest } from '../../pay/schemes/exact/request.ts';
import { NONCE_USED, revertReason, TOKEN_PAUSED } from '../../pay/schemes/exact/revert.ts';
import type { SignatureFilter } from '../../pay/schemes/exact/signature.ts';
import { transferCall } from '../../pay/schemes/exact/transfer-call.ts';
import type { Seller } from '../../pay/seller.ts';
import { createGasOracle, type GasOracle, OUT_OF_GAS } from './gas.ts';
import { awaitReceipt } from './receipt.ts';
import { type PendingTransaction, TransactionQueue } from './transaction-queue.ts';
import type { Wallet } from './wallet.ts';

export interface SelfFacilitatorOptions {
  readonly rpc: Rpc;
  readonly seller: Seller;
  /** Pays the gas. */
  readonly wallet: Wallet;
  readonly signatures: SignatureFilter;
  /** Above this nothing is settled, wei per unit of gas. */
  readonly maxFeePerGas: bigint;
  /** Blocks, that of the transaction included, after which it counts. */
  readonly confirmations?: number;
  /** A settlement that takes longer is unknown. */
  readonly settleMs?: number;
  /** The receipt is asked for so often at first. */
  readonly pollMs?: number;
}

/** Gas for a transfer beyond what the node estimates: the state may differ a little when it is mined. */
const GAS_MARGIN_PERCENT = 20n;
/** ERC-6492: the wallet does not exist yet, and this service deploys nothing for others. */
const UNDEPLOYED = /(?:6492){16}$/;
const SETTLE_MS = 20_000;
const POLL_MS = 200;

/** A facilitator of our own in this process, on the operator's node and with the operator's key. */
export function createSelfFacilitator(options: SelfFacilitatorOptions): Facilitator {
  const { rpc, wallet, maxFeePerGas } = options;
  const gas = createGasOracle({ rpc, address: wallet.address, maxFeePerGas });
  const outbox = new TransactionQueue({ rpc, wallet, gas });
  let ok: boolean | undefined;
  return {
    name: 'self',
    get ok() {
      return ok;
    },
    async verify(request: ExactRequest) {
      try {
        const outcome = await verify(options, gas, request);
        ok = outcome.kind !== 'unavailable';
        return outcome;
      } catch (cause) {
        ok = false;
        return { kind: 'unavailable', reason: nameOf(cause) };
      }
    },
    async settle(request: ExactRequest) {
      try {
        return await settle(options, gas, outbox, request);
      } catch (cause) {
        // Only what comes before a transaction is sent rejects.
        return { kind: 'unsent', reason: nameOf(cause) };
      }
    },
    async probe() {
      try {
        ok = (await isOurChain(options)) && (await gas.obstacle()) === undefined;
      } catch {
        ok = false;
      }
    },
    stop: () => outbox.stop(),
  };
}

/** The signature against the payer's key, then the very call that would settle it, simulated by the node. */
async function verify(
  options: SelfFacilitatorOptions,
  gas: GasOracle,
  { payload: { authorization, signature }, requirement }: ExactRequest,
): Promise<VerifyOutcome> {
  const { rpc, wallet, signatures } = options;
  if (UNDEPLOYED.test(signature)) return { kind: 'invalid', reason: 'eip6492_factory_not_allowed' };
  const matches = (await signatures.check({ authorization, signature })) === 'match';
  if (!matches && (await isPlainAccount(rpc, authorization.from))) {
    return { kind: 'invalid', reason: 'invalid_exact_evm_signature' };
  }
  const call = { from: wallet.address, to: requirement.asset, data: transferCall(authorization, signature) };
  const simulated = rpc('eth_call', [call, 'latest']).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  const [obstacle, failure] = await Promise.all([gas.obstacle(), simulated]);
  if (obstacle !== undefined) return { kind: 'unavailable', reason: obstacle };
  if (failure === undefined) return { kind: 'valid' };
  const reason = revertReason(failure);
  if (reason === undefined) throw failure;
  return { kind: reason === TOKEN_PAUSED ? 'unavailable' : 'invalid', reason };
}

async function isPlainAccount(rpc: Rpc, address: string): Promise<boolean> {
  return (await rpc('eth_getCode', [address, 'latest'])) === '0x';
}

/** Sends the transfer, once more under another number where somebody else used ours. */
async function settle(
  options: SelfFacilitatorOptions,
  gas: GasOracle,
  outbox: TransactionQueue,
  request: ExactRequest,
): Promise<SettleOutcome> {
  const until = performance.now() + (options.settleMs ?? SETTLE_MS);
  const first = await transfer(options, gas, outbox, request, until);
  if (first.kind !== 'replaced') return first;
  // Something was sent: from here on only success and what is not known say anything, whatever the node answers.
  const second = await transfer(options, gas, outbox, request, until).catch(() => undefined);
  return second?.kind === 'settled' || second?.kind === 'unknown' ? second : late(first.sending);
}

/** Another transaction used the number of ours. */
interface Replaced {
  readonly kind: 'replaced';
  readonly sending: PendingTransaction;
}

/** Estimating simulates it once more: nothing is sent, and no gas paid, for what would be reverted. */
async function transfer(
  options: SelfFacilitatorOptions,
  gas: GasOracle,
  outbox: TransactionQueue,
  request: ExactRequest,
  until: number,
): Promise<SettleOutcome | Replaced> {
  const { rpc, wallet } = options;
  const { requirement } = request;
  const { authorization, signature } = request.payload;
  const to = requirement.asset as `0x${string}`;
  const data = transferCall(authorization, signature);
  const estimate = await estimated(rpc, { from: wallet.address, to, data });
  if ('kind' in estimate) return estimate;
  const uselessAt = performance.now() + expiryOf(authorization) - Date.now();
  const sent = await outbox.send({ to, data, gas: estimate.gas }, uselessAt);
  return sent.kind === 'rejected'
    ? rejected(gas, sent.message)
    : follow(options, outbox, sent.sending, request, until);
}

type Estimate = { readonly gas: bigint } | Extract<SettleOutcome, { kind: 'refused' | 'unknown' }>;

async function estimated(rpc: Rpc, call: Readonly<Record<string, string>>): Promise<Estimate> {
  try {
    const gas = readQuantity(await rpc('eth_estimateGas', [call]));
    if (gas === undefined) throw new RpcError('eth_estimateGas: no number');
    return { gas: (gas * (100n + GAS_MARGIN_PERCENT)) / 100n };
  } catch (cause) {
    const reason = revertReason(cause);
    if (reason === undefined) throw cause;
    // Used: perhaps by this very payment, which somebody else has submitted.
    if (reason === NONCE_USED) return { kind: 'unknown', reason, pending: false, transaction: undefined };
    return { kind: 'refused', reason, transaction: undefined };
  }
}

function rejected(gas: GasOracle, message: string): SettleOutcome {
  gas.forget();
  return { kind: 'unsent', reason: /insufficient funds/i.test(message) ? OUT_OF_GAS : 'rejected_by_node' };
}

/** The transaction until its receipt. */
async function follow(
  { rpc, confirmations = 1, pollMs = POLL_MS }: SelfFacilitatorOptions,
  outbox: TransactionQueue,
  sending: PendingTransaction,
  { payload: { authorization }, requirement }: ExactRequest,
  until: number,
): Promise<SettleOutcome | Replaced> {
  const found = await awaitReceipt({ rpc, outbox, sending, confirmations, pollMs, until });
  if (found === 'replaced') return { kind: 'replaced', sending };
  if (found === 'late') return late(sending);
  const { transaction, receipt } = found;
  if (receipt.status !== '0x1') return { kind: 'refused', reason: 'transaction_reverted', transaction };
  const { from, nonce } = authorization;
  const { asset, payTo, amount } = requirement;
  // A token may take a used nonce without reverting: only its logs say that the money moved.
  if (isPaidBy(receipt, { asset, payTo, amount, payer: from, nonce }))
    return { kind: 'settled', transaction };
  return { kind: 'unknown', reason: 'no_matching_transfer', pending: false, transaction };
}

function late({ hashes }: PendingTransaction): SettleOutcome {
  return { kind: 'unknown', reason: 'not_mined_in_time', pending: false, transaction: hashes.at(-1) };
}

async function isOurChain({ rpc, seller }: SelfFacilitatorOptions): Promise<boolean> {
  const [chainId, code] = await Promise.all([
    rpc('eth_chainId', []),
    rpc('eth_getCode', [seller.asset, 'latest']),
  ]);
  return readQuantity(chainId) === BigInt(seller.network.chainId) && code !== '0x';
}

function nameOf(cause: unknown): string {
  return cause instanceof RpcError ? 'rpc_failed' : 'facilitator_failed';
}

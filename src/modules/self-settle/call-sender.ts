import { type GasReserve, OUT_OF_GAS, type SettleOutcome } from '../../pay/facilitator.ts';
import { type RevertKind, revertOf } from '../../pay/revert.ts';
import { type Rpc, RpcError, readQuantity } from '../../pay/rpc.ts';
import type { SettlingCall } from '../../pay/settling-calls.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { createGasOracle, type GasOracle, gasLimit } from './gas.ts';
import { awaitReceipt } from './receipt.ts';
import { type PendingTransaction, TransactionQueue } from './transaction-queue.ts';
import type { Wallet } from './wallet.ts';

export interface CallSenderOptions {
  readonly rpc: Rpc;
  /** Pays the gas. */
  readonly wallet: Wallet;
  /** Above this nothing is settled, wei per unit of gas. */
  readonly maxFeePerGas: bigint;
  /** Gas of the largest transaction that the account is to pay for; undefined: that of a transfer. */
  readonly largestGas?: bigint | undefined;
  /** Blocks, that of the transaction included, after which it counts. */
  readonly confirmations?: number;
  /** A settlement that takes longer is unknown. */
  readonly settleMs?: number;
  /** The receipt is asked for so often at first. */
  readonly pollMs?: number;
}

/** The words of a scheme for refusals of its contracts. */
type Reasons = Readonly<Record<RevertKind, string>>;

/** Another transaction used the number of ours. */
interface Replaced {
  readonly kind: 'replaced';
  readonly sending: PendingTransaction;
}

type Estimate = { readonly gas: bigint } | Extract<SettleOutcome, { kind: 'refused' | 'unknown' }>;

const SETTLE_MS = 20_000;
const POLL_MS = 200;
/** Sales by voucher ask nobody to settle: the reserve is looked at by itself. */
const GAS_MS = MINUTE_MS;

/** Sends calls of all schemes as transactions of one account, and follows each until its receipt. */
export class CallSender {
  readonly #options: CallSenderOptions;
  readonly #gas: GasOracle;
  readonly #queue: TransactionQueue;
  readonly #timer: NodeJS.Timeout;

  constructor(options: CallSenderOptions) {
    const { rpc, wallet, maxFeePerGas, largestGas } = options;
    this.#options = options;
    this.#gas = createGasOracle({ rpc, address: wallet.address, maxFeePerGas, largestGas });
    this.#queue = new TransactionQueue({ rpc, wallet, gas: this.#gas });
    // A node that does not answer is asked again with the next.
    this.#timer = setInterval(() => void this.obstacle().catch(() => undefined), GAS_MS).unref();
  }

  /** The gas of the account by the last look; undefined before the first. */
  get gas(): GasReserve | undefined {
    return this.#gas.reserve;
  }

  get rpc(): Rpc {
    return this.#options.rpc;
  }

  /** The reason for which nothing can be settled now; undefined where it can. Rejects with RpcError. */
  obstacle(): Promise<string | undefined> {
    return this.#gas.obstacle();
  }

  /** The refusal of a call that is only simulated; undefined where it would be made. Rejects where the node says nothing of it. */
  async refusalOf({ to, data }: SettlingCall): Promise<RevertKind | undefined> {
    try {
      await this.rpc('eth_call', [{ from: this.#options.wallet.address, to, data }, 'latest']);
      return undefined;
    } catch (cause) {
      const refusal = revertOf(cause);
      if (refusal === undefined) throw cause;
      return refusal;
    }
  }

  /**
   * Sends a call, once more under another number where somebody else used ours. Rejects only where nothing is on its way.
   *
   * @param reasons the words for refusals
   */
  async send(call: SettlingCall, reasons: Reasons): Promise<SettleOutcome> {
    const until = performance.now() + (this.#options.settleMs ?? SETTLE_MS);
    const first = await this.#try(call, reasons, until);
    if (first.kind !== 'replaced') return first;
    // Something was sent: from here on only success and what is not known say anything, whatever the node answers.
    const second = await this.#try(call, reasons, until).catch(() => undefined);
    return second?.kind === 'settled' || second?.kind === 'unknown' ? second : late(first.sending);
  }

  /** Looks after nothing any more. */
  stop(): void {
    clearInterval(this.#timer);
    this.#queue.stop();
  }

  /** Estimating simulates it once more: nothing is sent, and no gas paid, for what would be reverted. */
  async #try(call: SettlingCall, reasons: Reasons, until: number): Promise<SettleOutcome | Replaced> {
    const { to, data } = call;
    const estimate = await this.#estimate(call, reasons);
    if ('kind' in estimate) return estimate;
    const uselessAt = performance.now() + call.uselessAt - Date.now();
    const sent = await this.#queue.send({ to, data, gas: estimate.gas }, uselessAt);
    return sent.kind === 'rejected' ? this.#rejected(sent.message) : this.#follow(call, sent.sending, until);
  }

  async #estimate({ to, data }: SettlingCall, reasons: Reasons): Promise<Estimate> {
    const { rpc, wallet } = this.#options;
    try {
      const gas = readQuantity(await rpc('eth_estimateGas', [{ from: wallet.address, to, data }]));
      if (gas === undefined) throw new RpcError('eth_estimateGas: no number');
      return { gas: gasLimit(gas) };
    } catch (cause) {
      const refusal = revertOf(cause);
      if (refusal === undefined) throw cause;
      const reason = reasons[refusal];
      // Used: perhaps by this very payment, which somebody else has submitted.
      if (refusal === 'used') return { kind: 'unknown', reason, pending: false, transaction: undefined };
      return { kind: 'refused', reason, transaction: undefined };
    }
  }

  #rejected(message: string): SettleOutcome {
    this.#gas.forget();
    return { kind: 'unsent', reason: /insufficient funds/i.test(message) ? OUT_OF_GAS : 'rejected_by_node' };
  }

  /** The transaction until its receipt. */
  async #follow(
    call: SettlingCall,
    sending: PendingTransaction,
    until: number,
  ): Promise<SettleOutcome | Replaced> {
    const { rpc, confirmations = 1, pollMs = POLL_MS } = this.#options;
    const found = await awaitReceipt({ rpc, outbox: this.#queue, sending, confirmations, pollMs, until });
    if (found === 'replaced') return { kind: 'replaced', sending };
    if (found === 'late') return late(sending);
    const { transaction, receipt } = found;
    if (receipt.status !== '0x1') return { kind: 'refused', reason: 'transaction_reverted', transaction };
    if (call.isDoneBy(receipt)) return { kind: 'settled', transaction };
    return { kind: 'unknown', reason: 'no_matching_transfer', pending: false, transaction };
  }
}

function late({ hashes }: PendingTransaction): SettleOutcome {
  return { kind: 'unknown', reason: 'not_mined_in_time', pending: false, transaction: hashes.at(-1) };
}

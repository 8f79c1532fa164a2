import { isWire, type Wire } from '../domain/read.ts';
import type { PaymentConfig } from './config.ts';
import type { SettleOutcome } from './facilitator.ts';
import { createRpc, type Rpc, readQuantity } from './rpc.ts';

/** The transactions of settlements since the start. */
export interface SettlementCosts {
  readonly transactions: number;
  /** Those of them whose receipts were read. */
  readonly read: number;
  /** The cost of those, wei of the network's coin. */
  readonly wei: bigint;
}

/** Transactions that are remembered, so that one which is named again is not counted twice. */
const MAX_REMEMBERED = 1_000;

/** Counts the transactions that facilitators name, and reads what each has cost where the seller pays for them. */
export class SettlementMeter {
  readonly #rpc: Rpc | undefined;
  readonly #named = new Set<string>();
  #transactions = 0;
  #read = 0;
  #wei = 0n;

  /** @param rpc reads receipts; undefined where somebody else pays for the transactions */
  constructor(rpc?: Rpc) {
    this.#rpc = rpc;
  }

  get costs(): SettlementCosts {
    return { transactions: this.#transactions, read: this.#read, wei: this.#wei };
  }

  /** Takes the outcome of a settlement. Resolved once its receipt was read, or could not be; never rejects. */
  async note(outcome: SettleOutcome): Promise<void> {
    const transaction = outcome.kind === 'unsent' ? undefined : outcome.transaction;
    if (!transaction || this.#named.has(transaction)) return;
    const [oldest] = this.#named;
    if (oldest !== undefined && this.#named.size >= MAX_REMEMBERED) this.#named.delete(oldest);
    this.#named.add(transaction);
    this.#transactions += 1;
    const receipt = await this.#rpc?.('eth_getTransactionReceipt', [transaction]).catch(() => undefined);
    const wei = isWire(receipt) ? paidWei(receipt) : undefined;
    if (wei === undefined) return;
    this.#read += 1;
    this.#wei += wei;
  }
}

/** A meter for these settings: it reads receipts where the seller's own key pays for the transactions. */
export const meterOf = (config: Exclude<PaymentConfig, { readonly mode: 'off' }>): SettlementMeter =>
  new SettlementMeter(config.mode === 'self' ? createRpc(config.rpcUrl) : undefined);

/**
 * The cost of a transaction to its sender, wei: gas used at the effective price, and on chains of the OP stack what they
 * charge for its data on Ethereum (`l1Fee`). Undefined of a receipt that does not say it.
 */
export function paidWei({ gasUsed, effectiveGasPrice, l1Fee }: Wire): bigint | undefined {
  const gas = readQuantity(gasUsed);
  const price = readQuantity(effectiveGasPrice);
  if (gas === undefined || price === undefined) return undefined;
  return gas * price + (readQuantity(l1Fee) ?? 0n);
}

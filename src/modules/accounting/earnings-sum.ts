import { usdText } from '../../pay/amount.ts';
import type { CallCost } from '../../pay/margin.ts';
import type { PaymentRecord } from '../../pay/record.ts';

const ATOMIC_PER_USD = 1_000_000;

/** The cost of one sale in the way of this payment, atomic units. */
export const costOf = (
  costs: readonly CallCost[],
  { scheme, network }: Pick<PaymentRecord, 'scheme' | 'network'>,
): number | undefined => costs.find((cost) => cost.scheme === scheme && cost.network === network)?.atomic;

export interface SumRow {
  payments: number;
  usd: string;
  margin_usd: number | null;
}

/** A sum of settled payments. */
export class EarningSum {
  #payments = 0;
  /** Atomic units. */
  #amount = 0n;
  /** Atomic units; NaN where the cost of any of them is not known. */
  #cost = 0;

  /** @param cost of the sale, atomic units; undefined where it is not known */
  add(amount: bigint, cost: number | undefined): void {
    this.#payments += 1;
    this.#amount += amount;
    this.#cost += cost ?? Number.NaN;
  }

  get amount(): bigint {
    return this.#amount;
  }

  row(): SumRow {
    const margin = (Number(this.#amount) - this.#cost) / ATOMIC_PER_USD;
    return {
      payments: this.#payments,
      usd: usdText(this.#amount),
      margin_usd: Number.isNaN(margin) ? null : margin,
    };
  }
}

import { Budget, type Caps, type OverCap } from './budget.ts';
import type { Requirement } from './challenge.ts';
import type { CallOptions, Problem, Receipt } from './result.ts';
import type { PaymentRecord, PaymentStore } from './store.ts';
import { atomicOf, least, usdOf } from './usd.ts';

const DAY_MS = 86_400_000;

type Terms = Pick<Requirement, 'network' | 'asset' | 'payTo'>;

const sellerOf = ({ network, asset, payTo }: Terms): string => `${network} ${asset} ${payTo}`.toLowerCase();

/** The caps and the store of payments, which all schemes share. */
export class Spending {
  readonly #budget: Budget;
  readonly #store: PaymentStore;
  readonly #now: () => number;
  /** Times of purchases by seller, each by the name of its payment. */
  readonly #purchases = new Map<string, Map<string, number>>();
  #restored: Promise<void> | undefined;

  constructor(caps: Caps, store: PaymentStore, now: () => number) {
    this.#budget = new Budget(caps);
    this.#store = store;
    this.#now = now;
  }

  /** Atomic units. */
  spent(): bigint {
    return this.#budget.spent();
  }

  /** The rest of the caps of the day and in all, atomic units. */
  left(): bigint {
    return this.#budget.left(this.#now());
  }

  /** The most that a call may cost, with all that is signed for it; atomic units. */
  mostOfCall({ maxUsd }: Pick<CallOptions, 'maxUsd'>): bigint {
    const cap = this.#budget.perCall();
    return maxUsd === undefined ? cap : least(cap, atomicOf(maxUsd));
  }

  /** Payments to a seller within a day, of this run and of those before it. @param from no earlier ones, ms since 1970 */
  purchasesFrom(seller: Terms, from: number): number {
    const since = Math.max(from, this.#now() - DAY_MS);
    return [...(this.#purchases.get(sellerOf(seller))?.values() ?? [])].filter((at) => at > since).length;
  }

  /** Counts what the store remembers, once; tried again where it could not be read. Rejects where it cannot be. */
  restore(): Promise<void> {
    this.#restored ??= this.#store.load().then(
      (records) => {
        for (const record of records) {
          if (record.state === 'released') continue;
          this.#budget.restore(record.nonce, BigInt(record.amount), record.at);
          this.#notePurchase(record);
        }
      },
      (cause) => {
        this.#restored = undefined;
        throw cause;
      },
    );
    return this.#restored;
  }

  /**
   * Takes the amount of a record from the caps in this turn of the event loop, then writes the record down. Rejects where
   * that fails, with nothing taken.
   * @param price of the call, where the amount is another one
   * @returns the problem where a cap does not allow it
   */
  async take(record: PaymentRecord, price = BigInt(record.amount)): Promise<Problem | undefined> {
    const over = this.#budget.reserve(record.nonce, BigInt(record.amount), record.at, price);
    if (over !== undefined) return overBudget(price, over);
    this.#notePurchase(record);
    try {
      await this.#store.save(record);
    } catch (cause) {
      await this.release(record);
      throw cause;
    }
    return undefined;
  }

  /** The answer is there: that it could not be noted leaves the amount spent, as it is. */
  async bought(record: PaymentRecord, receipt: Receipt | undefined): Promise<void> {
    await this.#store.save({ ...record, state: 'bought', receipt }).catch(() => {});
  }

  /** The amount stays spent. */
  async refused(record: PaymentRecord): Promise<void> {
    await this.#store.save({ ...record, state: 'refused' }).catch(() => {});
  }

  /** Gives back what was certainly not spent. */
  async release(record: PaymentRecord): Promise<void> {
    this.#budget.release(record.nonce);
    this.#purchases.get(sellerOf(record))?.delete(record.nonce);
    await this.#store.save({ ...record, state: 'released' }).catch(() => {});
  }

  #notePurchase(record: PaymentRecord): void {
    const seller = sellerOf(record);
    const known = this.#purchases.get(seller) ?? new Map<string, number>();
    known.set(record.nonce, record.at);
    this.#purchases.set(seller, known);
    const since = this.#now() - DAY_MS;
    for (const [nonce, at] of known) if (at <= since) known.delete(nonce);
  }
}

/** The problem of an amount that a cap does not allow. */
export function overBudget(amount: bigint, { cap, left }: OverCap): Problem {
  const priceUsd = usdOf(amount);
  const leftUsd = usdOf(left);
  const bound =
    cap === 'call' ? `the cap of a call is ${leftUsd}` : `${leftUsd} are left of the cap (${cap})`;
  const detail = `The price is ${priceUsd} USD; ${bound}.`;
  return { code: 'over_budget', charged: false, cap, priceUsd, leftUsd, detail };
}

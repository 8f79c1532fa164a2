import { FIXTURE_NOW } from '../../src/market/row-fixture.ts';
import type { ServiceProcess } from './paid-stream-process.ts';
import type { Random } from './random.ts';

interface Payment {
  readonly key: string;
  readonly claimedAt: number;
  readonly body: string;
  /** Times that it is still to be announced: until it is taken, and some once more. */
  left: number;
}

/** Pays for streams as a ledger does: each payment once, announced until it is taken, some of them again. */
export class MinuteBuyer {
  readonly #random: Random;
  readonly #open = new Set<Payment>();
  /** All payments by stream. */
  readonly ledger = new Map<string, { readonly second: number; readonly minutes: number }[]>();
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  get payments(): number {
    return this.#count;
  }

  /** @param answer of the purchase, as the buyer got it */
  pay(id: string, minutes: number, second: number, answer: object = {}): void {
    this.#count += 1;
    const ledger = this.ledger.get(id) ?? [];
    this.ledger.set(id, ledger);
    ledger.push({ second, minutes });
    const body = JSON.stringify({ ...answer, id, minutes });
    const left = this.#random.chance(0.1) ? 2 : 1;
    this.#open.add({ key: `payment ${this.#count}`, claimedAt: FIXTURE_NOW + second * 1000, body, left });
  }

  /** Announces what is open, each to one process; what one that ends has not answered is announced to the next. */
  async announce(pick: () => ServiceProcess): Promise<void> {
    await Promise.all(
      [...this.#open].map(async (payment) => {
        const { key, claimedAt, body } = payment;
        const isTaken = (await pick().call({ kind: 'sold', key, claimedAt, body })) === true;
        if (isTaken) payment.left -= 1;
        if (payment.left === 0) this.#open.delete(payment);
      }),
    );
  }
}

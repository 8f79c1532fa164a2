import type { Requirement } from './challenge.ts';
import { authorize, expiresAt, randomHex, type Signer } from './payment.ts';
import { notSigned, problemOf } from './problems.ts';
import type { Charged, Problem, Receipt } from './result.ts';
import type { Order, Scheme, Signed } from './scheme.ts';
import type { Spending } from './spending.ts';
import type { PaymentRecord } from './store.ts';

/** A signed payment must live so much longer to be presented for something else, ms. */
const SPARE_MS = 15_000;

interface Spare {
  readonly signed: Signed;
  readonly record: PaymentRecord;
}

export interface ExactOptions {
  readonly signer: Signer;
  readonly spending: Spending;
  /** True believes a seller who says that a payment was not taken. */
  readonly trustRefusals: boolean;
  readonly now: () => number;
}

/** The scheme `exact`: each payment is an authorization of its own, which buys once. */
export class ExactScheme implements Scheme {
  readonly #options: ExactOptions;
  /** Signed and not taken. */
  readonly #spare: Spare[] = [];
  readonly #records = new WeakMap<Signed, PaymentRecord>();

  constructor(options: ExactOptions) {
    this.#options = options;
  }

  /** A spare authorization on these terms, else a new one. */
  async sign({ url, requirement, options: { signal } }: Order): Promise<Signed | Problem> {
    const { signer, spending, now } = this.#options;
    const spare = this.#takeSpare(requirement);
    if (spare !== undefined) return spare;
    const nonce = `0x${randomHex(32)}`;
    const { network, asset, payTo, amount } = requirement;
    const path = url.pathname + url.search;
    const terms = { network, asset, payTo, amount };
    const record: PaymentRecord = { nonce, at: now(), path, ...terms, state: 'signing' };
    try {
      const over = await spending.take(record);
      if (over !== undefined) return over;
    } catch (cause) {
      return notSigned(cause);
    }
    try {
      signal?.throwIfAborted();
      const { authorization, signature } = await authorize(signer, requirement, nonce, now());
      const payload = { signature, authorization };
      const signed = { requirement, payload, expiresAt: expiresAt(authorization) };
      this.#records.set(signed, record);
      return signed;
    } catch (cause) {
      await spending.release(record);
      if (signal?.aborted) return problemOf({ code: 'aborted' });
      return notSigned(cause);
    }
  }

  async bought(signed: Signed, receipt: Receipt | undefined): Promise<void> {
    await this.#options.spending.bought(this.#recordOf(signed), receipt);
  }

  async refused(signed: Signed, charged: Charged): Promise<void> {
    const { spending, trustRefusals } = this.#options;
    const record = this.#recordOf(signed);
    if (charged === false && trustRefusals) await spending.release(record);
    else await spending.refused(record);
  }

  async turnedAway(signed: Signed): Promise<void> {
    const { spending, trustRefusals } = this.#options;
    const record = this.#recordOf(signed);
    if (trustRefusals) await spending.release(record);
    else this.#spare.push({ signed, record });
  }

  #recordOf(signed: Signed): PaymentRecord {
    const record = this.#records.get(signed);
    if (record === undefined) throw new Error('a payment of another scheme');
    return record;
  }

  #takeSpare(requirement: Requirement): Signed | undefined {
    const until = this.#options.now() + SPARE_MS;
    const alive = this.#spare.filter(({ signed }) => (signed.expiresAt ?? 0) > until);
    const terms = JSON.stringify(requirement);
    const at = alive.findIndex(({ signed }) => JSON.stringify(signed.requirement) === terms);
    const [spare] = at < 0 ? [] : alive.splice(at, 1);
    this.#spare.splice(0, this.#spare.length, ...alive);
    return spare?.signed;
  }
}

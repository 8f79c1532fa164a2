import { systemClock } from '../../src/domain/clock.ts';
import { ledgerOn } from '../../src/modules/shared-ledger/places.ts';
import { forEachConcurrent } from '../../src/runtime/for-each-concurrent.ts';
import { systemTimer, wait } from '../../src/runtime/timer.ts';
import { sellerAt } from '../pay/routes.ts';
import { type LedgerComparison, reconcile } from './ledger-comparison.ts';
import { BASE_URL } from './pay-run.ts';
import {
  type Answered,
  type Buying,
  type Headers,
  keyed,
  present,
  type Shop,
  signPayment,
} from './presented-payment.ts';

export interface DoubledResult {
  readonly problems: readonly string[];
  readonly presented: number;
  /** Payments that all shops answered with 200 in the end, the same bytes. */
  readonly answered: number;
  /** Payments of these that were paid, and not so answered. */
  readonly unanswered: number;
  readonly books: LedgerComparison;
}

interface Payment {
  readonly nonce: string;
  readonly headers: Headers;
  /** Paid answers that were given for it. */
  readonly bodies: Set<string>;
  /** The last answer of each shop. */
  last: readonly Answered[];
}

const TRIES = 3;
/**
 * The buyers that ask again at a time: thousands have paid, and all at once would take every file that a
 * process may open.
 */
const BUYERS = 20;

/** Payments that are presented to several shops of one receiver in the same moment, and what became of them. */
export class DoubledPayments {
  readonly #buying: Buying;
  readonly #payments: Payment[] = [];

  constructor(buying: Buying) {
    this.#buying = buying;
  }

  /** Signs so many and begins to present each everywhere; what is returned says the statuses once all are answered. */
  async begin(count: number, shops: readonly Shop[]): Promise<() => Promise<readonly number[]>> {
    const made = await Promise.all(Array.from({ length: count }, () => this.#sign()));
    this.#payments.push(...made);
    const asking = made.flatMap((payment) => shops.map((shop) => ask(shop, payment)));
    return async () => (await Promise.all(asking)).map(({ status }) => status);
  }

  /** Presents one once, at one shop. */
  async once(shop: Shop): Promise<Answered & { readonly nonce: string }> {
    const made = await this.#sign();
    this.#payments.push(made);
    return { nonce: made.nonce, ...(await ask(shop, made)) };
  }

  /**
   * Buyers whose payment is not yet answered by all shops ask again. Answers are held for some minutes only: call
   * it from time to time.
   */
  async askAgain(shops: readonly Shop[]): Promise<void> {
    const open = this.#payments.filter(({ last }) => !isAnswered(last));
    const again = async (payment: Payment): Promise<void> => {
      payment.last = await Promise.all(shops.map((shop) => ask(shop, payment)));
    };
    await forEachConcurrent(open, again, {
      clock: systemClock,
      timer: systemTimer,
      signal: new AbortController().signal,
      concurrency: BUYERS,
      spreadMs: 0,
    });
  }

  /** All that is open is closed as an hour later, by the chain; then buyers ask all shops again. */
  async end(ledgerUrl: string, shops: readonly Shop[]): Promise<DoubledResult> {
    const { chain } = this.#buying;
    const seller = sellerAt(BASE_URL, chain.payee.address);
    const books = await reconcile(chain, { ledgerPath: '', place: ledgerOn(ledgerUrl) }, seller);
    const problems = [...books.problems];
    let answered = 0;
    let unanswered = 0;
    for (let i = 0; i < TRIES && this.#payments.some(({ last }) => !isAnswered(last)); i++) {
      if (i > 0) await wait(500);
      await this.askAgain(shops);
    }
    for (const payment of this.#payments) {
      const { last } = payment;
      const isPaid = books.paidNonces.has(payment.nonce);
      const { nonce, bodies } = payment;
      if (bodies.size > 1) problems.push(`${nonce}: ${bodies.size} products for one payment`);
      if (!isPaid && bodies.size > 0) problems.push(`${nonce}: served unpaid`);
      if (isPaid && !isAnswered(last)) {
        unanswered++;
        const said = last.map(({ status, reason }) => `${status} ${reason}`).join(' and ');
        problems.push(
          `${nonce}: ${books.deliveredNonces.has(nonce) ? 'delivered' : 'paid'}, and answered with ${said}`,
        );
      }
      if (isPaid && isAnswered(last)) answered++;
    }
    if (books.transfers !== books.paidNonces.size) {
      problems.push(`${books.transfers} transfers for ${books.paidNonces.size} payments`);
    }
    return { problems, presented: this.#payments.length, answered, unanswered, books };
  }

  async #sign(): Promise<Payment> {
    const { nonce, headers } = await signPayment(this.#buying);
    return {
      nonce,
      headers: keyed(headers, `order-${nonce.slice(2, 40)}`),
      bodies: new Set(),
      last: [],
    };
  }
}

const ask = (shop: Shop, { headers, bodies }: Payment): Promise<Answered> => present(shop, headers, bodies);

const isAnswered = (answers: readonly Answered[]): boolean =>
  answers.length > 0 && answers.every(({ status }) => status === 200);

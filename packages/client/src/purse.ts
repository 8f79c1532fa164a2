import { base64Json } from './base64.ts';
import { Catalog } from './catalog.ts';
import { type Requirement, readChallenge } from './challenge.ts';
import { ChannelPurse } from './channel-purse.ts';
import { ExactScheme } from './exact.ts';
import type { Http, Sent } from './http.ts';
import { type OpenPayment, OpenPayments } from './open-payments.ts';
import { paymentHeader, randomHex } from './payment.ts';
import {
  isPaymentRetryable,
  notSigned,
  problemOf,
  type Refusal,
  refusalOf,
  serviceProblemOf,
  unknownOutcome,
} from './problems.ts';
import { type CallOptions, type Failed, failed, type Problem, type Receipt, type Reply } from './result.ts';
import type { Order, Scheme, Signed } from './scheme.ts';
import { overBudget, Spending } from './spending.ts';
import { memoryStore } from './store.ts';
import { atomicOf, usdOf } from './usd.ts';
import { payableOf, type WalletOptions } from './wallet-options.ts';

const ATTEMPTS = 6;

/** Said of a payment that was on its way: nothing was charged for it. */
const UNCHARGED: ReadonlySet<string> = new Set(['authorization_unused', 'authorization_cancelled']);

/** A payment on its way. */
interface Payment {
  readonly scheme: Scheme;
  readonly order: Order;
  readonly signed: Signed;
  readonly headers: Readonly<Record<string, string>>;
  /** True if an earlier attempt may have been taken. */
  wasOpen: boolean;
}

/** Options of a call with a word of the caller about its price. */
export interface Approving extends CallOptions {
  /** Hears what is to be paid before anything is signed, atomic units: the problem that it returns ends the call. */
  readonly approve?: ((amount: bigint) => Problem | undefined) | undefined;
}

export type Bought =
  | { readonly ok: true; readonly reply: Reply; readonly receipt: Receipt | undefined }
  | Failed;

/** Pays, within caps that calls at the same time share. */
export class Purse {
  readonly #http: Http;
  readonly #options: WalletOptions;
  readonly #spending: Spending;
  readonly #catalog: Catalog;
  readonly #exact: ExactScheme;
  readonly #channels: ChannelPurse | undefined;
  readonly #open = new OpenPayments<Payment>();

  constructor(http: Http, baseUrl: string, options: WalletOptions) {
    const { signer, caps, store = memoryStore(), trustRefusals = false } = options;
    // A state that ends with the process is no place for a deposit that nobody has asked for.
    const { channels = options.store === undefined ? false : {} } = options;
    this.#http = http;
    this.#options = options;
    const now = () => this.#now();
    this.#spending = new Spending(caps, store, now);
    this.#catalog = new Catalog(http, baseUrl);
    const shared = { signer, spending: this.#spending, trustRefusals, now };
    this.#exact = new ExactScheme(shared);
    if (channels !== false && store.channels !== undefined) {
      this.#channels = new ChannelPurse({
        ...shared,
        http,
        baseUrl,
        channels,
        allow: options.allow,
        store: store.channels,
      });
    }
  }

  /** Atomic units. */
  spent(): bigint {
    return this.#spending.spent();
  }

  /** Payments by channel; undefined where the wallet has none. */
  get channels(): ChannelPurse | undefined {
    return this.#channels;
  }

  open(url: URL): OpenPayment | undefined {
    const payment = this.#open.first(url.href);
    if (payment === undefined) return undefined;
    const { expiresAt } = payment.signed;
    const validBefore = expiresAt === undefined ? undefined : new Date(expiresAt);
    return { headers: payment.headers, validBefore };
  }

  /** Presents again what an earlier call for this address left open; undefined where it left nothing. */
  resume(url: URL, options: CallOptions): Promise<Bought> | undefined {
    const payment = this.#open.first(url.href);
    if (payment === undefined) return undefined;
    this.#open.take(url.href, payment);
    return this.#again({ ...payment, order: { ...payment.order, options } });
  }

  /** Buys what a 402 asks for. */
  async buy(url: URL, { headers }: Reply, options: Approving): Promise<Bought> {
    const challenge = readChallenge(headers);
    const requirement = payableOf(challenge, this.#options.allow);
    if (challenge === undefined || 'code' in requirement) return failed(requirement as Problem);
    const amount = BigInt(requirement.amount);
    const { maxUsd } = options;
    if (maxUsd !== undefined && amount > atomicOf(maxUsd)) {
      return failed(overBudget(amount, { cap: 'call', left: atomicOf(maxUsd) }));
    }
    if (!(await this.#isListed(url, requirement, options))) {
      const detail = `The catalog does not list ${url.pathname} at ${usdOf(amount)} USD on these terms.`;
      return failed({ code: 'not_as_listed', charged: false, detail });
    }
    try {
      await this.#spending.restore();
    } catch (cause) {
      return failed(notSigned(cause));
    }
    const objection = options.approve?.(amount);
    if (objection !== undefined) return failed(objection);
    const order = { url, challenge, requirement, options };
    const byChannel = await this.#channelPayment(order);
    if (byChannel !== undefined && 'order' in byChannel) return this.#present(byChannel);
    if (byChannel !== undefined) return failed(byChannel);
    return this.#buyExact(order);
  }

  /** A payment by channel in the place of an exact one; undefined where none opens or pays. */
  async #channelPayment(order: Order): Promise<Payment | Problem | undefined> {
    const chosen = await this.#channels?.choose(order);
    if (chosen === undefined) return undefined;
    const { requirement, scheme } = chosen;
    if (!(await this.#isListed(order.url, requirement, order.options))) return undefined;
    const byChannel = { ...order, requirement };
    const signed = await scheme.sign(byChannel);
    if (signed === undefined || 'code' in signed) return signed;
    return this.#payment(scheme, byChannel, signed, order.options.paymentId ?? randomHex(16));
  }

  async #isListed(url: URL, requirement: Requirement, { signal }: CallOptions): Promise<boolean> {
    if (this.#options.checkCatalog === false) return true;
    return this.#catalog.lists(url.pathname, requirement, signal);
  }

  #payment(scheme: Scheme, order: Order, signed: Signed, key: string): Payment {
    const headers = {
      'PAYMENT-SIGNATURE': paymentHeader(signed, order.challenge),
      'Idempotency-Key': key,
    };
    return { scheme, order, signed, headers, wasOpen: false };
  }

  /** Presents a payment that was left open; one that can buy nothing any more is forgotten, and the answer is asked for anew. */
  async #again(payment: Payment): Promise<Bought> {
    const { scheme, order, signed } = payment;
    const isGood = scheme.retake === undefined || (await scheme.retake(signed));
    if (isGood) return this.#present(payment);
    const sent = await this.#http.get(order.url, order.options.signal);
    if (sent.code === 'replied' && sent.reply.status === 402) {
      return this.buy(order.url, sent.reply, order.options);
    }
    return sent.code === 'replied' && sent.reply.status < 300
      ? { ok: true, reply: sent.reply, receipt: undefined }
      : failed(problemOf(sent.code === 'replied' ? sent.reply : sent));
  }

  /** A call that is ended leaves its payment open at once: the next equal one may come before this one has returned. */
  async #present(payment: Payment): Promise<Bought> {
    const { url, options } = payment.order;
    const { signal } = options;
    const leave = (): void => this.#open.add(url.href, payment);
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave, { once: true });
    try {
      return await this.#presentUntil(payment);
    } finally {
      signal?.removeEventListener('abort', leave);
      await payment.scheme.rest?.(payment.signed);
    }
  }

  async #presentUntil(payment: Payment): Promise<Bought> {
    const { attempts = ATTEMPTS } = this.#options;
    const { url, options } = payment.order;
    const { signal } = options;
    for (let attempt = 1; ; attempt++) {
      const sent = await this.#http.once(url, payment.headers, signal);
      const end = await this.#endOf(payment, sent);
      if (end !== undefined) return end;
      const known = sent.code === 'replied' ? serviceProblemOf(sent.reply) : undefined;
      // Behind a proxy's answer, a broken connection or a pending settlement, the payment may have been taken.
      if (known?.charged !== false) payment.wasOpen = true;
      const isOver = attempt >= attempts || !isPaymentRetryable(sent);
      if (!isOver && (await this.#http.pause(attempt, sent, signal))) continue;
      // Where it was left and is not there any more, another call presents it now.
      const isOurs = !signal?.aborted || this.#open.take(url.href, payment);
      if (isOurs && !payment.wasOpen && known !== undefined) {
        await payment.scheme.turnedAway(payment.signed);
        return failed(known);
      }
      if (isOurs) this.#open.add(url.href, payment);
      return failed(unknownOutcome(signal?.aborted ? { code: 'aborted' } : sent));
    }
  }

  /** The end of a payment, where a response is one: its answer, or a refusal. */
  async #endOf(payment: Payment, sent: Sent): Promise<Bought | undefined> {
    if (sent.code !== 'replied') return undefined;
    const { scheme, order, signed, wasOpen } = payment;
    const { reply } = sent;
    if (reply.status >= 200 && reply.status < 300) {
      this.#open.take(order.url.href, payment);
      const receipt = base64Json(reply.headers.get('payment-response')) as Receipt | undefined;
      await scheme.bought(signed, receipt);
      return { ok: true, reply, receipt };
    }
    const isExpired = signed.expiresAt !== undefined && this.#now() > signed.expiresAt;
    const refusal = refusalOf(reply, { wasOpen, isExpired });
    if (refusal === undefined) return undefined;
    this.#open.take(order.url.href, payment);
    return this.#refused(payment, refusal, reply);
  }

  /** The seller takes no such payment. The outcome of an earlier attempt is known for some reasons only. */
  async #refused(payment: Payment, refusal: Refusal, reply: Reply): Promise<Bought> {
    const { scheme, order, signed, headers, wasOpen } = payment;
    const isKnown = !wasOpen || UNCHARGED.has(refusal.reason);
    const problem = isKnown ? refusal : { ...refusal, charged: null };
    await scheme.refused(signed, problem.charged);
    const next = await scheme.correct?.(signed, order, { reply, wasOpen });
    if (next === undefined) return failed(problem);
    if (next === 'exact') {
      const all = BigInt(order.requirement.amount) + (scheme.exposed?.(signed) ?? 0n);
      return all > this.#spending.mostOfCall(order.options) ? failed(problem) : this.#buyExact(order);
    }
    if ('code' in next) return failed(next);
    return this.#present(this.#payment(scheme, order, next, headers['Idempotency-Key'] ?? randomHex(16)));
  }

  async #buyExact(order: Order): Promise<Bought> {
    const requirement = payableOf(order.challenge, this.#options.allow);
    if ('code' in requirement) return failed(requirement);
    const byExact = { ...order, requirement };
    const signed = await this.#exact.sign(byExact);
    if ('code' in signed) return failed(signed);
    const key = order.options.paymentId ?? randomHex(16);
    return this.#present(this.#payment(this.#exact, byExact, signed, key));
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

import { base64Json } from './base64.ts';
import { Budget, type Caps, type OverCap } from './budget.ts';
import { Catalog } from './catalog.ts';
import { type Challenge, type Requirement, readChallenge, sameAddress } from './challenge.ts';
import type { Http } from './http.ts';
import { type OpenPayment, OpenPayments } from './open-payments.ts';
import { expiresAt, paymentHeader, randomHex, type Signed, type Signer, sign } from './payment.ts';
import {
  isPaymentRetryable,
  problemOf,
  type Refusal,
  reasonOf,
  refusalOf,
  serviceProblemOf,
  unknownOutcome,
} from './problems.ts';
import { type CallOptions, type Failed, failed, type Problem, type Receipt, type Reply } from './result.ts';
import { memoryStore, type PaymentRecord, type PaymentStore } from './store.ts';
import { atomicOf, usdOf } from './usd.ts';

/** The allowed receivers and terms of payments. */
export interface Allowed {
  /** CAIP-2; default Base alone. */
  readonly networks?: readonly string[] | undefined;
  /** Tokens with six decimals; default USDC on Base alone. */
  readonly assets?: readonly string[] | undefined;
  /** Default: the receivers that the catalog names. */
  readonly receivers?: readonly string[] | undefined;
}

export interface WalletOptions {
  readonly signer: Signer;
  readonly caps: Caps;
  readonly allow?: Allowed | undefined;
  /** Default: in memory. */
  readonly store?: PaymentStore | undefined;
  /** The number of times that one payment is presented in one call; default 6. */
  readonly attempts?: number | undefined;
  /** False pays what a 402 asks without holding it against the catalog. */
  readonly checkCatalog?: boolean | undefined;
  /**
   * True believes a seller who says that a payment was not taken: its amount comes back. By default what was signed
   * stays spent, and buys the next answer of the same price while it is valid.
   */
  readonly trustRefusals?: boolean | undefined;
  /** Ms since 1970; default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const BASE = 'eip155:8453';
const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const ATTEMPTS = 6;
/** A signed payment must live so much longer to be presented for something else, ms. */
const SPARE_MS = 15_000;

/** Said of a payment that was on its way: nothing was charged for it. */
const UNCHARGED: ReadonlySet<string> = new Set(['authorization_unused', 'authorization_cancelled']);

/** A payment on its way. */
interface Payment {
  readonly signed: Signed;
  readonly record: PaymentRecord;
  readonly headers: Readonly<Record<string, string>>;
  /** True if an earlier attempt may have been taken. */
  wasOpen: boolean;
}

export type Bought =
  | { readonly ok: true; readonly reply: Reply; readonly receipt: Receipt | undefined }
  | Failed;

/** Pays, within caps that calls at the same time share. */
export class Purse {
  readonly #http: Http;
  readonly #options: WalletOptions;
  readonly #budget: Budget;
  readonly #store: PaymentStore;
  readonly #catalog: Catalog;
  readonly #open = new OpenPayments<Payment>();
  /** Signed and not taken. */
  readonly #spare: { readonly signed: Signed; readonly record: PaymentRecord }[] = [];
  #restored: Promise<void> | undefined;

  constructor(http: Http, baseUrl: string, options: WalletOptions) {
    this.#http = http;
    this.#options = options;
    this.#budget = new Budget(options.caps);
    this.#store = options.store ?? memoryStore();
    this.#catalog = new Catalog(http, baseUrl);
  }

  /** Atomic units. */
  spent(): bigint {
    return this.#budget.spent();
  }

  open(url: URL): OpenPayment | undefined {
    const payment = this.#open.first(url.href);
    return payment && { headers: payment.headers, validBefore: new Date(expiresAt(payment.signed)) };
  }

  /** Presents again what an earlier call for this address left open; undefined where it left nothing. */
  resume(url: URL, { signal }: CallOptions): Promise<Bought> | undefined {
    const payment = this.#open.first(url.href);
    if (payment === undefined) return undefined;
    this.#open.take(url.href, payment);
    return this.#present(url, payment, signal);
  }

  /** Buys what a 402 asks for. */
  async buy(url: URL, { headers }: Reply, options: CallOptions): Promise<Bought> {
    const challenge = readChallenge(headers);
    const requirement = this.#choose(challenge);
    if (challenge === undefined || 'code' in requirement) return failed(requirement as Problem);
    const amount = BigInt(requirement.amount);
    const { maxUsd } = options;
    if (maxUsd !== undefined && amount > atomicOf(maxUsd)) {
      return failed(overBudget(amount, { cap: 'call', left: atomicOf(maxUsd) }));
    }
    const { checkCatalog = true } = this.#options;
    if (checkCatalog && !(await this.#catalog.lists(url.pathname, requirement, options.signal))) {
      const detail = `The catalog does not list ${url.pathname} at ${usdOf(amount)} USD on these terms.`;
      return failed({ code: 'not_as_listed', charged: false, detail });
    }
    const paid = await this.#sign(url, requirement, options.signal);
    if ('code' in paid) return failed(paid);
    const payment = {
      ...paid,
      headers: {
        'PAYMENT-SIGNATURE': paymentHeader(paid.signed, challenge),
        'Idempotency-Key': options.paymentId ?? randomHex(16),
      },
      wasOpen: false,
    };
    return this.#present(url, payment, options.signal);
  }

  /** The first requirement that may be paid, or why none may. */
  #choose(challenge: Challenge | undefined): Requirement | Problem {
    if (challenge === undefined || challenge.accepts.length === 0) {
      const detail = 'The 402 has no requirement of the scheme exact on an EVM network.';
      return { code: 'unreadable_challenge', charged: false, detail };
    }
    const { networks = [BASE], assets = [BASE_USDC], receivers } = this.#options.allow ?? {};
    const isIn = (list: readonly string[], item: string) => list.some((each) => sameAddress(each, item));
    const refusal = (
      requirement: Requirement,
    ): readonly ['network' | 'asset' | 'receiver', string] | undefined => {
      if (!networks.includes(requirement.network)) return ['network', requirement.network];
      if (!isIn(assets, requirement.asset)) return ['asset', requirement.asset];
      return receivers === undefined || isIn(receivers, requirement.payTo)
        ? undefined
        : ['receiver', requirement.payTo];
    };
    const fit = challenge.accepts.find((accept) => refusal(accept) === undefined);
    if (fit !== undefined) return fit;
    const [term, value] = refusal(challenge.accepts[0] as Requirement) ?? ['network', ''];
    return { code: 'not_allowed', charged: false, term, detail: `The ${term} ${value} is not allowed.` };
  }

  /** A spare authorization on these terms, else a new one, with its amount taken from the budget before it is signed. */
  async #sign(
    url: URL,
    requirement: Requirement,
    signal: AbortSignal | undefined,
  ): Promise<Pick<Payment, 'signed' | 'record'> | Problem> {
    try {
      await this.#restore();
    } catch (cause) {
      return notSigned(cause);
    }
    const spare = this.#takeSpare(requirement);
    if (spare !== undefined) return spare;
    const at = this.#now();
    const nonce = `0x${randomHex(32)}`;
    const amount = BigInt(requirement.amount);
    const over = this.#budget.reserve(nonce, amount, at);
    if (over !== undefined) return overBudget(amount, over);
    const { network, asset, payTo } = requirement;
    const path = url.pathname + url.search;
    const terms = { network, asset, payTo, amount: requirement.amount };
    const record: PaymentRecord = { nonce, at, path, ...terms, state: 'signing' };
    try {
      await this.#store.save(record);
      signal?.throwIfAborted();
      return { signed: await sign(this.#options.signer, requirement, nonce, this.#now()), record };
    } catch (cause) {
      await this.#release(record);
      if (signal?.aborted) return problemOf({ code: 'aborted' });
      return notSigned(cause);
    }
  }

  /** A call that is ended leaves its payment open at once: the next equal one may come before this one has returned. */
  async #present(url: URL, payment: Payment, signal: AbortSignal | undefined): Promise<Bought> {
    const leave = (): void => this.#open.add(url.href, payment);
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave, { once: true });
    return this.#presentUntil(url, payment, signal).finally(() =>
      signal?.removeEventListener('abort', leave),
    );
  }

  async #presentUntil(url: URL, payment: Payment, signal: AbortSignal | undefined): Promise<Bought> {
    const { attempts = ATTEMPTS } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const sent = await this.#http.once(url, payment.headers, signal);
      if (sent.code === 'replied' && sent.reply.status >= 200 && sent.reply.status < 300) {
        this.#open.take(url.href, payment);
        return this.#bought(payment, sent.reply);
      }
      const isExpired = this.#now() > expiresAt(payment.signed);
      const presented = { wasOpen: payment.wasOpen, isExpired };
      const refusal = sent.code === 'replied' ? refusalOf(sent.reply, presented) : undefined;
      if (refusal !== undefined) {
        this.#open.take(url.href, payment);
        return this.#refused(payment, refusal);
      }
      const known = sent.code === 'replied' ? serviceProblemOf(sent.reply) : undefined;
      // Behind a proxy's answer, a broken connection or a pending settlement, the payment may have been taken.
      if (known?.charged !== false) payment.wasOpen = true;
      const isOver = attempt >= attempts || !isPaymentRetryable(sent);
      if (!isOver && (await this.#http.pause(attempt, sent, signal))) continue;
      // Where it was left and is not there any more, another call presents it now.
      const isOurs = !signal?.aborted || this.#open.take(url.href, payment);
      if (isOurs && !payment.wasOpen && known !== undefined) return this.#turnedAway(payment, known);
      if (isOurs) this.#open.add(url.href, payment);
      return failed(unknownOutcome(signal?.aborted ? { code: 'aborted' } : sent));
    }
  }

  async #bought({ record }: Payment, reply: Reply): Promise<Bought> {
    const receipt = base64Json(reply.headers.get('payment-response')) as Receipt | undefined;
    // The answer is there: that it could not be noted leaves the amount spent, as it is.
    await this.#store.save({ ...record, state: 'bought', receipt }).catch(() => {});
    return { ok: true, reply, receipt };
  }

  /** The seller takes no such payment. The outcome of an earlier attempt is known for some reasons only. */
  async #refused({ record, wasOpen }: Payment, refusal: Refusal): Promise<Failed> {
    const problem = wasOpen && !UNCHARGED.has(refusal.reason) ? { ...refusal, charged: null } : refusal;
    if (problem.charged === false && this.#options.trustRefusals === true) await this.#release(record);
    else await this.#store.save({ ...record, state: 'refused' }).catch(() => {});
    return failed(problem);
  }

  /** The seller has no answer; the payment is as good as before. */
  async #turnedAway({ record, signed }: Payment, problem: Problem): Promise<Failed> {
    if (this.#options.trustRefusals === true) await this.#release(record);
    else this.#spare.push({ signed, record });
    return failed(problem);
  }

  #takeSpare(requirement: Requirement): Pick<Payment, 'signed' | 'record'> | undefined {
    const until = this.#now() + SPARE_MS;
    const alive = this.#spare.filter(({ signed }) => expiresAt(signed) > until);
    const terms = JSON.stringify(requirement);
    const at = alive.findIndex(({ signed }) => JSON.stringify(signed.requirement) === terms);
    const [spare] = at < 0 ? [] : alive.splice(at, 1);
    this.#spare.splice(0, this.#spare.length, ...alive);
    return spare;
  }

  async #release(record: PaymentRecord): Promise<void> {
    this.#budget.release(record.nonce);
    await this.#store.save({ ...record, state: 'released' }).catch(() => {});
  }

  /** Counts what the store remembers, once; tried again where it could not be read. */
  #restore(): Promise<void> {
    this.#restored ??= this.#store.load().then(
      (records) => {
        for (const { nonce, amount, at, state } of records) {
          if (state !== 'released') this.#budget.restore(nonce, BigInt(amount), at);
        }
      },
      (cause) => {
        this.#restored = undefined;
        throw cause;
      },
    );
    return this.#restored;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

const notSigned = (cause: unknown): Problem => ({
  code: 'not_signed',
  charged: false,
  cause,
  detail: `Not signed: ${reasonOf(cause)}`,
});

function overBudget(amount: bigint, { cap, left }: OverCap): Problem {
  const priceUsd = usdOf(amount);
  const leftUsd = usdOf(left);
  const bound =
    cap === 'call' ? `the cap of a call is ${leftUsd}` : `${leftUsd} are left of the cap (${cap})`;
  const detail = `The price is ${priceUsd} USD; ${bound}.`;
  return { code: 'over_budget', charged: false, cap, priceUsd, leftUsd, detail };
}

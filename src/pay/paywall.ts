import type { Clock } from '../domain/clock.ts';
import { fail } from '../domain/errors.ts';
import { OpenTasks } from '../domain/open-tasks.ts';
import { StoreUnreachable, StoreWriteError } from '../storage/remote-state.ts';
import { answerAccountRequest } from './account-requests.ts';
import { createChallenges } from './challenge.ts';
import { checkTerms } from './check-payment.ts';
import type { Ledger } from './ledger.ts';
import { createPaymentLimits } from './limits.ts';
import { claimOf, type RequestWithPayment, readRequest } from './paid-request.ts';
import { PaymentRunner } from './payment-runner.ts';
import { prove } from './payment-verifier.ts';
import type { Attempt, PaymentContext, PaymentEvent, PaywallParts } from './paywall-context.ts';
import type { PriceSchedule } from './prices.ts';
import { createReconciler, type Reconciler } from './reconciler.ts';
import { isInFlight, type PaymentRecord } from './record.ts';
import { Redelivery } from './redelivery.ts';
import {
  inFlight,
  noLedger,
  notCharged,
  problem,
  refuseCorrected,
  rejectPayment,
  SHUTTING_DOWN,
  settlementUnknown,
  tooMany,
  unwritten,
} from './replies.ts';
import type { SaleHook, SaleSeam } from './sale.ts';
import { isSamePayment, type Scheme, type SchemeOffer } from './scheme.ts';
import { MAX_TIMEOUT_SECONDS, type Seller } from './seller.ts';
import type {
  HttpReply,
  PaymentInput,
  Paywall,
  PaywallReply,
  ProtectedRoute,
  RenderProblem,
  Work,
} from './types.ts';

const WRITE_AGAIN_MS = 3_000;

export interface PaywallOptions {
  readonly seller: Seller;
  readonly prices: PriceSchedule;
  readonly routes: readonly ProtectedRoute[];
  readonly ledger: Ledger;
  /** In the order in which they are offered. */
  readonly schemes: readonly Scheme[];
  /** Delay until a settled outcome that could not be written is written again. */
  readonly writeAgainMs?: number;
  readonly clock: Clock;
  /** Signs offers and sales; nothing of them is signed without it. */
  readonly sale?: SaleSeam;
  /** By route: who hears its sales; default nobody. */
  readonly saleHooks?: ReadonlyMap<string, SaleHook>;
  readonly renderProblem: RenderProblem;
  readonly observe?: (event: PaymentEvent) => void;
  /** Told of failures that the buyer only sees as a status. */
  readonly onError?: (cause: unknown) => void;
  /** Told of each payment that a facilitator found good. */
  readonly onVerified?: () => void;
  /** Told of payments that the reconciler closed. */
  readonly onClosed?: (record: PaymentRecord) => void;
}

/** The paywall in front of everything that is sold. */
export interface RunningPaywall extends Paywall {
  readonly reconciler: Reconciler;
  /** Payments being worked on. */
  readonly inFlight: number;
  /** Offers that have no room in the header of some route's 402. */
  readonly unnamed: readonly SchemeOffer[];
  /** Takes no more payments; resolved when those in flight have ended. */
  drain(): Promise<void>;
}

export type PaywallResult =
  | { readonly ok: true; readonly value: RunningPaywall }
  | { readonly ok: false; readonly errors: readonly string[] };

/** Checks all routes and prices and makes the paywall; all faults are returned at once. */
export function createPaywall(options: PaywallOptions): PaywallResult {
  const { clock } = options;
  const { sale } = options;
  const challenges = createChallenges({ ...options, ...(sale !== undefined && { offers: sale }) });
  if (!challenges.ok) return challenges;
  const onError = options.onError ?? (() => {});
  const tasks = new OpenTasks();
  const closing = new AbortController();
  const parts: PaywallParts = {
    ...options,
    challenges: challenges.value,
    sale,
    saleHooks: options.saleHooks ?? new Map(),
    writeAgainMs: options.writeAgainMs ?? WRITE_AGAIN_MS,
    limits: createPaymentLimits(clock),
    observe: options.observe ?? (() => {}),
    onError,
    onVerified: options.onVerified ?? (() => {}),
    onClosed: options.onClosed ?? (() => {}),
    background: (task) => tasks.add(task, onError),
    closing: closing.signal,
  };
  return { ok: true, value: new ChargingPaywall(parts, tasks, closing) };
}

class ChargingPaywall implements RunningPaywall {
  readonly free = false;
  readonly reconciler: Reconciler;
  readonly #parts: PaywallParts;
  readonly #tasks: OpenTasks;
  readonly #runner: PaymentRunner;
  readonly #presented: Redelivery;
  readonly #closing: AbortController;

  constructor(parts: PaywallParts, tasks: OpenTasks, closing: AbortController) {
    this.#parts = parts;
    this.#tasks = tasks;
    this.#closing = closing;
    this.#runner = new PaymentRunner(parts);
    this.reconciler = createReconciler(parts, this.#runner);
    this.#presented = new Redelivery(parts, this.#runner, this.reconciler);
  }

  get unnamed(): readonly SchemeOffer[] {
    return this.#parts.challenges.unnamed;
  }

  get inFlight(): number {
    return this.#tasks.size;
  }

  challenge(route: ProtectedRoute, reason?: string, path?: string): HttpReply {
    return this.#parts.challenges.challenge(route, reason, path);
  }

  async drain(): Promise<void> {
    this.#closing.abort();
    await this.#tasks.none();
  }

  pay(route: ProtectedRoute, input: PaymentInput, work: Work): Promise<PaywallReply> {
    if (this.#closing.signal.aborted) return Promise.resolve(problem(this.#parts, SHUTTING_DOWN));
    const read = readRequest(this.#parts, route, input, work);
    if ('body' in read) return Promise.resolve(read);
    const answer = 'make' in read ? answerAccountRequest(this.#parts, read) : this.#take(read);
    this.#parts.background(answer);
    return answer;
  }

  /** From a payment to its answer. */
  async #take(request: RequestWithPayment): Promise<PaywallReply> {
    let context: PaymentContext | undefined;
    /** By an attempt before this one. */
    let wasAsked = false;
    try {
      for (let i = 0; i < 3; i++) {
        context = { ...request, progress: { isDoubtful: false, isAsked: false, others: [], times: {} } };
        const attempt = await this.#attempt(context);
        if (attempt !== 'again') return attempt;
        wasAsked ||= context.progress.isAsked;
      }
      return inFlight(this.#parts, request);
    } catch (cause) {
      this.#parts.onError(cause);
      return this.#replyTo(cause, request, wasAsked || context?.progress.isAsked === true);
    }
  }

  /**
   * The answer to a request that failed, as far as its outcome can be found out.
   *
   * @param isAsked it has asked a facilitator to move the money
   */
  async #replyTo(cause: unknown, request: RequestWithPayment, isAsked: boolean): Promise<PaywallReply> {
    const isLost = cause instanceof StoreUnreachable;
    // A payment that may be stored as on its way to settlement is settled by the reconciler.
    if (isAsked || (isLost && cause.isInDoubt)) return settlementUnknown(this.#parts, request);
    if (isLost) return noLedger(this.#parts, request);
    try {
      if (await this.#mayHaveMoved(request)) return settlementUnknown(this.#parts, request);
    } catch {
      return noLedger(this.#parts, request);
    }
    if (cause instanceof StoreWriteError) return unwritten(this.#parts, request);
    this.#parts.observe({ outcome: 'failed', routeId: request.route.id });
    return problem(this.#parts, { code: 'internal', detail: 'Something failed here: nothing was charged.' });
  }

  /** True if an earlier attempt at this payment got as far as to ask for the money. */
  async #mayHaveMoved({ key, payment, scheme }: RequestWithPayment): Promise<boolean> {
    const known = await this.#parts.ledger.get(key);
    return known !== undefined && known.state !== 'claimed' && isSamePayment(scheme, known, payment);
  }

  /** The ledger is asked before all checks: a payment that has expired may still have an answer coming. */
  async #attempt(context: PaymentContext): Promise<Attempt> {
    const { ledger } = this.#parts;
    const { payment, scheme } = context;
    const known = await ledger.get(context.key);
    if (known !== undefined && isSamePayment(scheme, known, payment)) {
      return this.#presented.answer(context, known);
    }
    const amount = await this.#check(context);
    if (typeof amount !== 'bigint') return amount;
    if (known !== undefined) return this.#otherPayment(context, known);
    const bought = await this.#boughtBefore(context, amount);
    if (bought !== undefined) return bought;
    const failure = context.work.check();
    if (failure !== undefined) return notCharged(this.#parts, context, fail(failure));
    const begun = await this.#runner.begin(claimOf(context, amount), context);
    if (begun === 'again' || !('kind' in begun)) return begun;
    const { record } = begun;
    return record.key !== context.key || isSamePayment(scheme, record, payment)
      ? this.#presented.answer(context, record)
      : this.#otherPayment(context, record);
  }

  /**
   * The answer to what the payer has bought before under the payment identifier; undefined where that is nothing.
   * Only what is proven to be the payer's is looked up: where the local check cannot tell, the facilitator says
   * so first, whether there is something to look up or not.
   */
  async #boughtBefore(context: PaymentContext, amount: bigint): Promise<Attempt | undefined> {
    if (context.paymentIdHash === undefined) return undefined;
    const isProven = !context.progress.isDoubtful && context.payment.signer === undefined;
    const refusal = isProven ? undefined : await prove(this.#parts, context, amount);
    if (refusal !== undefined) return refusal;
    const record = await this.#presented.purchase(context);
    return record && this.#presented.answer(context, record);
  }

  /** Local checks: our terms, the time, the signature, and the sender's patience. The price that is paid where all are good. */
  async #check(context: PaymentContext): Promise<PaywallReply | bigint> {
    const { prices, clock, limits } = this.#parts;
    const { payment, scheme, route, address, progress } = context;
    const { payer, signer: from = payer, signed } = payment;
    const now = clock.now();
    const amounts = prices.acceptedAt(route.id, now, MAX_TIMEOUT_SECONDS * 1000);
    const terms = await checkTerms(scheme, payment, route, amounts);
    if (!terms.ok) return rejectPayment(this.#parts, context, terms.reason);
    const late = scheme.timeFault(signed, now);
    if (late !== undefined) return rejectPayment(this.#parts, context, late);
    progress.isDoubtful = (await scheme.match(signed)) === 'mismatch';
    const doubtfulWait = progress.isDoubtful ? limits.doubtful.wait(from, address) : 0;
    const failedWait = limits.failed.wait(from, address);
    if (failedWait > 0 && failedWait >= doubtfulWait)
      return tooMany(this.#parts, context, 'failed', failedWait);
    if (doubtfulWait > 0) return tooMany(this.#parts, context, 'doubtful', doubtfulWait);
    if (!progress.isDoubtful) return terms.amount;
    // Taken before anything is waited for, so that those that come at once are counted.
    limits.doubtful.take(from, address);
    const fault = await scheme.signatureFault(signed);
    if (fault === undefined) return terms.amount;
    limits.doubtful.giveBack(from, address);
    return rejectPayment(this.#parts, context, fault);
  }

  /** The same nonce under another signature or for another value: only one of them can ever be settled. */
  async #otherPayment(context: PaymentContext, known: PaymentRecord): Promise<PaywallReply> {
    const isOpen = isInFlight(known) || known.state === 'unknown';
    return isOpen
      ? inFlight(this.#parts, context)
      : refuseCorrected(this.#parts, context, 'authorization_used');
  }
}

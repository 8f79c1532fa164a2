import type { Clock } from '../domain/clock.ts';
import type { Failure } from '../domain/errors.ts';
import { OpenTasks } from '../domain/open-tasks.ts';
import { usdOf } from './amount.ts';
import { createChallenges } from './challenge.ts';
import { checkTerms, checkWindow } from './check-payment.ts';
import type { FacilitatorList } from './facilitator-list.ts';
import type { Ledger } from './ledger.ts';
import { LedgerUnwritten } from './ledger-store.ts';
import { createPaymentLimits } from './limits.ts';
import { carriesPayment, parsePayment } from './parse-payment.ts';
import { isSamePayment, paymentIdHash, paymentKey, resourceHash } from './payment.ts';
import {
  type Attempt,
  inFlight,
  type PaymentContext,
  type PaymentEvent,
  type PaywallParts,
  problem,
  refuse,
  rejectPayment,
  settlementUnknown,
  tooMany,
  unwritten,
} from './paywall-context.ts';
import type { PriceBook } from './prices.ts';
import { CLAIM_LEASE_MS, isAfterSettling, processPayment, storeFull } from './process-payment.ts';
import type { SettlementProof } from './proof.ts';
import { createReconciler, type Reconciler } from './reconciler.ts';
import { isInFlight, type PaymentRecord } from './record.ts';
import { Redelivery } from './redelivery.ts';
import { MAX_TIMEOUT_SECONDS, type Seller } from './seller.ts';
import { createSettler, type SettleRetryPolicy } from './settler.ts';
import type { SignatureFilter } from './signature.ts';
import type { PaymentInput, Paywall, PaywallReply, ProtectedRoute, RenderProblem, Work } from './types.ts';

export interface PaywallOptions {
  readonly seller: Seller;
  readonly prices: PriceBook;
  readonly routes: readonly ProtectedRoute[];
  readonly ledger: Ledger;
  /** Asked in this order. */
  readonly facilitators: FacilitatorList;
  /** Own view of the chain; undefined: the facilitator's word is taken. */
  readonly proof: SettlementProof | undefined;
  readonly patience?: SettleRetryPolicy;
  readonly signatures: SignatureFilter;
  readonly clock: Clock;
  readonly renderProblem: RenderProblem;
  readonly observe?: (event: PaymentEvent) => void;
  /** Told of failures that the buyer only sees as a status. */
  readonly onError?: (cause: unknown) => void;
  /** Told of payments that the reconciler closed. */
  readonly onClosed?: (record: PaymentRecord) => void;
}

/** The paywall in front of everything that is sold. */
export interface RunningPaywall extends Paywall {
  readonly reconciler: Reconciler;
  /** Payments being worked on. */
  readonly inFlight: number;
  /** Takes no more payments; resolved when those in flight have ended. */
  drain(): Promise<void>;
}

export type PaywallResult =
  | { readonly ok: true; readonly value: RunningPaywall }
  | { readonly ok: false; readonly errors: readonly string[] };

/** Checks all routes and prices and makes the paywall; all faults are returned at once. */
export function createPaywall(options: PaywallOptions): PaywallResult {
  const { seller, routes, ledger, clock, facilitators, proof, patience, onClosed } = options;
  const challenges = createChallenges(options);
  if (!challenges.ok) return challenges;
  const settler = createSettler({
    facilitators,
    ledger,
    proof,
    clock,
    ...(patience === undefined ? {} : { patience }),
  });
  const closing = onClosed === undefined ? {} : { onClosed };
  const reconciler = createReconciler({ ledger, settler, seller, routes, clock, ...closing });
  const onError = options.onError ?? (() => {});
  const tasks = new OpenTasks();
  const parts: PaywallParts = {
    ...options,
    challenges: challenges.value,
    settler,
    reconciler,
    limits: createPaymentLimits(clock),
    observe: options.observe ?? (() => {}),
    onError,
    background: (task) => tasks.add(task, onError),
  };
  return { ok: true, value: paywallOf(parts, tasks) };
}

const CLOSING: Failure = { code: 'shutting_down', detail: 'Nothing was charged.', retryAfterSeconds: 5 };

function paywallOf(parts: PaywallParts, tasks: OpenTasks): RunningPaywall {
  const presented = new Redelivery(parts);
  let closing = false;
  return {
    free: false,
    reconciler: parts.reconciler,
    get inFlight() {
      return tasks.size;
    },
    challenge: (route, reason, path) => parts.challenges.challenge(route, reason, path),
    pay(route, input, work) {
      if (closing) return Promise.resolve(problem(parts, CLOSING));
      const read = readRequest(parts, route, input, work);
      if ('body' in read) return Promise.resolve(read);
      const answer = take(parts, presented, read);
      parts.background(answer);
      return answer;
    },
    async drain() {
      closing = true;
      await tasks.none();
    },
  };
}

/** Reads the payment of a request; an answer where there is none: what cannot be read cannot be looked up. */
function readRequest(
  parts: PaywallParts,
  route: ProtectedRoute,
  input: PaymentInput,
  work: Work,
): PaymentContext | PaywallReply {
  const path = input.resource.split('?', 1)[0] ?? route.path;
  if (input.method !== 'GET' || !carriesPayment(input))
    return parts.challenges.challenge(route, undefined, path);
  const parsed = parsePayment(input);
  // The status table of the x402 HTTP transport: what cannot be read is the client's fault, not a payment that failed.
  if (!parsed.ok) return rejectPayment(parts, { route, address: input.address, path }, parsed.reason, 400);
  const payment = parsed.value;
  return {
    route,
    address: input.address,
    work,
    payment,
    path,
    key: paymentKey(parts.seller.network.id, parts.seller.asset, payment.authorization),
    resourceHash: resourceHash(input.method, input.resource),
  };
}

/** From a payment to its answer. */
async function take(
  parts: PaywallParts,
  presented: Redelivery,
  context: PaymentContext,
): Promise<PaywallReply> {
  try {
    for (let i = 0; i < 3; i++) {
      const attempt = await attemptOnce(parts, presented, context);
      if (attempt !== 'again') return attempt;
    }
    return inFlight(parts, context);
  } catch (cause) {
    parts.onError(cause);
    if (isAfterSettling(cause) || mayHaveMoved(parts, context)) return settlementUnknown(parts, context);
    if (cause instanceof LedgerUnwritten) return unwritten(parts, context);
    parts.observe({ outcome: 'failed', routeId: context.route.id });
    return problem(parts, { code: 'internal', detail: 'Something failed here: nothing was charged.' });
  }
}

/** Whether an earlier attempt at this payment got as far as to ask for the money. */
function mayHaveMoved({ ledger }: PaywallParts, { key, payment }: PaymentContext): boolean {
  const known = ledger.get(key);
  return known !== undefined && known.state !== 'claimed' && isSamePayment(known, payment);
}

/** What the ledger knows comes before all checks: an expired authorization may still have an answer coming. */
async function attemptOnce(
  parts: PaywallParts,
  presented: Redelivery,
  context: PaymentContext,
): Promise<Attempt> {
  const { ledger, seller, prices, clock, signatures, limits } = parts;
  const { payment, route, address } = context;
  const known = ledger.get(context.key);
  if (known !== undefined && isSamePayment(known, payment)) return presented.answer(context, known);

  const now = clock.now();
  const amounts = prices.acceptedAt(route.id, now, MAX_TIMEOUT_SECONDS * 1000);
  const reason = checkTerms(payment, seller, route, amounts) ?? checkWindow(payment, now);
  if (reason !== undefined) return rejectPayment(parts, context, reason, 402);

  const { from } = payment.authorization;
  const checking = signatures.check(payment);
  const doubtful = (checking instanceof Promise ? await checking : checking) === 'mismatch';
  const wait = Math.max(
    doubtful ? limits.doubtful.wait(from, address) : 0,
    limits.failed.wait(from, address),
  );
  if (wait > 0) return tooMany(parts, context, wait);
  if (doubtful) limits.doubtful.take(from, address);
  if (known !== undefined) return otherPayment(parts, context, known);

  const failure = context.work.check();
  if (failure !== undefined) {
    parts.observe({ outcome: 'not_charged', routeId: route.id, reason: failure.code });
    return problem(parts, failure);
  }
  // Awaited here: a promise that is returned as it is takes two turns more.
  return await claimAndServe(parts, presented, context, {
    doubtful,
    isUnknown: !(checking instanceof Promise),
  });
}

interface Checked {
  readonly doubtful: boolean;
  /** It was looked up and not found in this turn. */
  readonly isUnknown: boolean;
}

/** The same nonce under another signature or for another value: only one of them can ever be settled. */
function otherPayment(parts: PaywallParts, context: PaymentContext, known: PaymentRecord): PaywallReply {
  const open = isInFlight(known) || known.state === 'unknown';
  return open ? inFlight(parts, context) : refuse(parts, context, 'authorization_used');
}

function claimAndServe(
  parts: PaywallParts,
  presented: Redelivery,
  context: PaymentContext,
  { doubtful, isUnknown }: Checked,
): Attempt | Promise<Attempt> {
  const { payment, key, route } = context;
  const { authorization, signature, paymentId } = payment;
  const { network, asset, payTo } = parts.seller;
  const result = parts.ledger.claim(
    {
      key,
      routeId: route.id,
      path: context.path,
      resourceHash: context.resourceHash,
      network: network.id,
      asset,
      payTo,
      payer: authorization.from,
      nonce: authorization.nonce,
      amount: authorization.value,
      usd: usdOf(authorization.value),
      authorization,
      signature,
      paymentIdHash: paymentId === undefined ? undefined : paymentIdHash(paymentId, authorization),
    },
    CLAIM_LEASE_MS,
    isUnknown,
  );
  if (result.kind === 'full') return storeFull(parts, context);
  if (result.kind === 'claimed') return processPayment(parts, context, result.record, doubtful);
  const { record } = result;
  return isSamePayment(record, payment)
    ? presented.answer(context, record)
    : otherPayment(parts, context, record);
}

import type { Clock } from '../domain/clock.ts';
import type { Failure } from '../domain/errors.ts';
import type { Challenges } from './challenge.ts';
import { PAYMENT_VARY } from './challenge.ts';
import type { FacilitatorList } from './facilitator-list.ts';
import type { Ledger } from './ledger.ts';
import type { PaymentLimits } from './limits.ts';
import type { Payment } from './payment.ts';
import type { PriceBook } from './prices.ts';
import type { PaymentReason } from './reasons.ts';
import type { Reconciler } from './reconciler.ts';
import type { PaymentRecord } from './record.ts';
import { lowerCased, refusedReply } from './replies.ts';
import type { Seller } from './seller.ts';
import type { Settler } from './settler.ts';
import type { SignatureFilter } from './signature.ts';
import type { HttpReply, PaywallReply, ProtectedRoute, RenderProblem, Work } from './types.ts';

/** How a request with a payment ended. */
export const PAYMENT_OUTCOMES = [
  'delivered',
  'redelivered',
  'rejected',
  'refused',
  'unknown',
  'not_charged',
  'in_flight',
  'limited',
  'unavailable',
  'failed',
] as const;
type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

/** For metrics and logs: free of headers, ids and signatures. */
export interface PaymentEvent {
  readonly outcome: PaymentOutcome;
  readonly routeId: string;
  readonly reason?: string;
  readonly usd?: string;
  /** Time spent in each phase, ms. */
  readonly verifyMs?: number;
  readonly produceMs?: number;
  readonly settleMs?: number;
}

/** Everything the exchange works with. */
export interface PaywallParts {
  readonly seller: Seller;
  readonly prices: PriceBook;
  readonly challenges: Challenges;
  readonly ledger: Ledger;
  readonly facilitators: FacilitatorList;
  readonly settler: Settler;
  readonly reconciler: Reconciler;
  readonly signatures: SignatureFilter;
  readonly limits: PaymentLimits;
  readonly clock: Clock;
  readonly renderProblem: RenderProblem;
  readonly observe: (event: PaymentEvent) => void;
  readonly onError: (cause: unknown) => void;
  /** Work that goes on after an answer; awaited at shutdown. */
  readonly background: (task: Promise<unknown>) => void;
}

/** One request with its payment. */
export interface PaymentContext {
  readonly route: ProtectedRoute;
  /** Client address, for limits. */
  readonly address: string;
  readonly work: Work;
  readonly payment: Payment;
  readonly key: string;
  readonly resourceHash: string;
  /** Concrete path without the query. */
  readonly path: string;
}

/** `again`: the payment is free again, restart. */
export type Attempt = PaywallReply | 'again';

/** A failure as the service words it, for one buyer only. */
export function problem(parts: Pick<PaywallParts, 'renderProblem'>, failure: Failure): PaywallReply {
  return uncached(parts.renderProblem(failure));
}

export function uncached(reply: HttpReply): PaywallReply {
  const { status, headers, body } = lowerCased(reply);
  return { status, headers: { ...headers, 'cache-control': 'private, no-store', vary: PAYMENT_VARY }, body };
}

/** Turns a payment away that is wrong by itself, and its sender where there are too many of them. */
export function rejectPayment(
  parts: PaywallParts,
  { route, address, path }: Pick<PaymentContext, 'route' | 'address' | 'path'>,
  reason: PaymentReason,
  status: 400 | 402,
): PaywallReply {
  const { wrong } = parts.limits;
  const wait = wrong.waitSeconds(address);
  if (wait > 0) return tooMany(parts, { route }, wait);
  wrong.take(address);
  parts.observe({ outcome: 'rejected', routeId: route.id, reason });
  const reply = parts.challenges.challenge(route, reason, path);
  // Headers of its own: an answer is known by them, and the same reason may come with the other status.
  return status === reply.status ? reply : { ...reply, status, headers: { ...reply.headers } };
}

/** A fresh challenge: nothing was charged. */
export function refuse(parts: PaywallParts, context: PaymentContext, reason: string): PaywallReply {
  parts.observe({ outcome: 'rejected', routeId: context.route.id, reason });
  return parts.challenges.challenge(context.route, reason, context.path);
}

/** The end of a payment that failed to settle: a fresh challenge, and receipts that say so. */
export function refuseSettled(
  parts: PaywallParts,
  context: PaymentContext,
  record: PaymentRecord,
): PaywallReply {
  const reason = record.reason ?? 'settlement_refused';
  parts.observe({ outcome: 'refused', routeId: context.route.id, reason, usd: record.usd });
  return refusedReply(record, parts.challenges.challenge(context.route, reason, context.path));
}

export function inFlight(parts: PaywallParts, context: PaymentContext): PaywallReply {
  parts.observe({ outcome: 'in_flight', routeId: context.route.id });
  return problem(parts, {
    code: 'payment_in_flight',
    detail:
      'This payment is being processed: repeat the same request in a moment. Do not sign another payment.',
    retryAfterSeconds: 2,
  });
}

export function idConflict(parts: PaywallParts): PaywallReply {
  return problem(parts, {
    code: 'payment_id_conflict',
    detail: 'This payment id and payment were used for another request.',
  });
}

export function settlementUnknown(
  parts: PaywallParts,
  context: PaymentContext,
  record?: PaymentRecord,
): PaywallReply {
  parts.observe({
    outcome: 'unknown',
    routeId: context.route.id,
    ...(record?.reason ? { reason: record.reason } : {}),
  });
  const closed = record?.closedAt !== undefined;
  return problem(parts, {
    code: 'settlement_unknown',
    detail: closed
      ? 'What became of this payment could not be established; it is in the operator’s ledger.'
      : 'It is not yet known whether this payment was settled: repeat the same request with the same payment. Do not sign another one.',
    retryAfterSeconds: closed ? 3600 : 3,
  });
}

/** The ledger takes nothing, as on a full disk: without it no money may move. */
export function unwritten(parts: PaywallParts, context: PaymentContext): PaywallReply {
  parts.observe({ outcome: 'unavailable', routeId: context.route.id, reason: 'ledger_unwritten' });
  return problem(parts, {
    code: 'answer_store_full',
    detail:
      'Payments cannot be written down at the moment: nothing was charged. The same payment can be sent again.',
    retryAfterSeconds: 30,
  });
}

export function tooMany(
  parts: PaywallParts,
  context: Pick<PaymentContext, 'route'>,
  seconds: number,
): PaywallReply {
  parts.observe({ outcome: 'limited', routeId: context.route.id });
  return problem(parts, {
    code: 'rate_limited',
    detail: 'Too many payments that could not be verified.',
    retryAfterSeconds: seconds,
  });
}

export function unavailable(parts: PaywallParts, context: PaymentContext, reason: string): PaywallReply {
  parts.observe({ outcome: 'unavailable', routeId: context.route.id, reason });
  return problem(parts, {
    code: 'facilitator_unavailable',
    detail:
      'The payment facilitator cannot be reached: nothing was charged. The same payment can be sent again.',
    retryAfterSeconds: 5,
  });
}

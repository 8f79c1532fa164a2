import type { Clock } from '../domain/clock.ts';
import type { Challenges } from './challenge.ts';
import type { Ledger } from './ledger.ts';
import type { PaymentLimits } from './limits.ts';
import type { Payment } from './payment.ts';
import type { PriceSchedule } from './prices.ts';
import type { PaymentRecord } from './record.ts';
import type { SaleHook, SaleReceipts, SaleSeam } from './sale.ts';
import type { Scheme, Verified } from './scheme.ts';
import type { Seller } from './seller.ts';
import type { HttpReply, PaywallReply, ProtectedRoute, RenderProblem, Work } from './types.ts';

/** Outcomes of requests with a payment. */
export const PAYMENT_OUTCOMES = [
  'delivered',
  'redelivered',
  'repeated',
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
  /** Of a sale: its scheme and its network. */
  readonly way?: Pick<PaymentRecord, 'scheme' | 'network'>;
  /** Time spent in each phase, ms. */
  readonly verifyMs?: number;
  readonly produceMs?: number;
  readonly settleMs?: number;
}

/** Everything that payments are taken with. */
export interface PaywallParts {
  readonly seller: Seller;
  readonly prices: PriceSchedule;
  readonly routes: readonly ProtectedRoute[];
  readonly challenges: Challenges;
  readonly ledger: Ledger;
  /** In the order in which they are offered. */
  readonly schemes: readonly Scheme[];
  /** Delay until a settled outcome that could not be written is written again. */
  readonly writeAgainMs: number;
  /** Undefined: nothing is signed of sales. */
  readonly sale: SaleSeam | undefined;
  /** By route: who hears its sales. */
  readonly saleHooks: ReadonlyMap<string, SaleHook>;
  readonly limits: PaymentLimits;
  readonly clock: Clock;
  readonly renderProblem: RenderProblem;
  readonly observe: (event: PaymentEvent) => void;
  readonly onError: (cause: unknown) => void;
  /** Told of each payment that a facilitator found good. */
  readonly onVerified: () => void;
  /** Told of payments that were closed in the background. */
  readonly onClosed: (record: PaymentRecord) => void;
  /** Work that goes on after an answer; awaited at shutdown. */
  readonly background: (task: Promise<unknown>) => void;
  /** Aborted at shutdown: what goes on in the background ends. */
  readonly closing: AbortSignal;
}

/** One request with its payment. */
export interface PaymentContext {
  readonly route: ProtectedRoute;
  /** Client address, for limits. */
  readonly address: string;
  readonly work: Work;
  readonly payment: Payment;
  /** That of the payment. */
  readonly scheme: Scheme;
  readonly key: string;
  readonly resourceHash: string;
  /** Hash of the payment identifier, where there is one. */
  readonly paymentIdHash: string | undefined;
  /** Concrete path without the query. */
  readonly path: string;
  /** Path and query in canonical form. */
  readonly resource: string;
  readonly progress: Progress;
}

/** The word that a payment is good. */
export type Good = Extract<Verified, { readonly kind: 'valid' }>;

/** The progress of a request. */
export interface Progress {
  /** The local signature check did not match. */
  isDoubtful: boolean;
  /** The word that the payment is good, before anything was looked up with it. */
  verified?: Good;
  /** A facilitator was asked to move the money. */
  isAsked: boolean;
  /** Names of those that may be asked yet. */
  others: string[];
  answer?: HttpReply;
  /** Of this sale, once it is settled. */
  receipts?: SaleReceipts | undefined;
  /** By the clock of `performance`. */
  settlingSince?: number;
  /** Time spent in each phase, ms. */
  readonly times: { verifyMs?: number; produceMs?: number; settleMs?: number };
}

/** `again`: the payment is free again or was changed by somebody else, restart. */
export type Attempt = PaywallReply | 'again';

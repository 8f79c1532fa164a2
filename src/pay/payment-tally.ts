import { type Clock, systemClock } from '../domain/clock.ts';
import { DurationCounts } from '../domain/duration-counts.ts';
import { FailureCounts } from './failure-counts.ts';
import { PAYMENT_OUTCOMES, type PaymentEvent } from './paywall-context.ts';
import type { PaymentRecord, PaymentState } from './record.ts';

/** Phases of a payment that was delivered. */
export type PaymentPhase = 'verify' | 'produce' | 'settle';

/** The state in which a payment left the reconciler; `unknown`: given up. */
const CLOSED: readonly PaymentState[] = ['settled', 'refused', 'unknown'];

/** Outcomes in which the buyer has an answer that was paid for. */
const BROUGHT: ReadonlySet<PaymentEvent['outcome']> = new Set(['delivered', 'redelivered']);

type Way = Pick<PaymentRecord, 'scheme' | 'network'>;
const wayKey = ({ scheme, network }: Way): string => `${network} ${scheme}`;

/** Counts of payments by outcome, since start. */
export class PaymentTally {
  /** Requests with a payment by how they ended. */
  readonly outcomes = new Map<PaymentEvent['outcome'], number>(PAYMENT_OUTCOMES.map((name) => [name, 0]));
  /** Payments that a facilitator found good. */
  verified = 0;
  /** Payments that were closed in the background by their state. */
  readonly closed = new Map<PaymentState, number>(CLOSED.map((state) => [state, 0]));
  readonly phases: Readonly<Record<PaymentPhase, DurationCounts>> = {
    verify: new DurationCounts(),
    produce: new DurationCounts(),
    settle: new DurationCounts(),
  };
  /** Revenue by route, USD. */
  readonly revenue = new Map<string, number>();
  /** Requests with a payment that brought none, by how they ended and why. */
  readonly failures = new FailureCounts();
  readonly #sales = new Map<string, number>();
  readonly #clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Counts the end of a request with a payment. */
  observe({ outcome, routeId, reason, usd, way, verifyMs, produceMs, settleMs }: PaymentEvent): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    if (way !== undefined) this.#sold(way);
    if (!BROUGHT.has(outcome)) this.failures.add({ outcome, reason }, this.#clock.now());
    if (outcome === 'delivered') this.revenue.set(routeId, (this.revenue.get(routeId) ?? 0) + Number(usd));
    if (verifyMs !== undefined) this.phases.verify.add(verifyMs / 1000);
    if (produceMs !== undefined) this.phases.produce.add(produceMs / 1000);
    if (settleMs !== undefined) this.phases.settle.add(settleMs / 1000);
  }

  /** Counts a payment that was closed in the background. */
  close(record: PaymentRecord): void {
    const { state } = record;
    this.closed.set(state, (this.closed.get(state) ?? 0) + 1);
    if (state === 'settled') this.#sold(record);
  }

  /** Settled sales of a scheme on a network. */
  sales(way: Way): number {
    return this.#sales.get(wayKey(way)) ?? 0;
  }

  #sold(way: Way): void {
    this.#sales.set(wayKey(way), this.sales(way) + 1);
  }
}

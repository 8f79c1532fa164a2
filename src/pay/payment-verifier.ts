import { type BazaarExtension, bazaarExtension } from './bazaar.ts';
import { type Facilitator, type SettlementRequest, settlementRequest } from './facilitator.ts';
import type { PaymentContext, PaywallParts } from './paywall-context.ts';
import type { PaymentRecord } from './record.ts';
import { refuse, unavailable } from './replies.ts';
import type { PaywallReply, ProtectedRoute } from './types.ts';

/** The parts of a payment that a facilitator needs. */
type Signed = Pick<PaymentRecord, 'resource' | 'amount' | 'authorization' | 'signature'>;

/** Asks facilitators whether payments are good. */
export class PaymentVerifier {
  readonly #parts: PaywallParts;
  /** By route: to make one takes some ten microseconds, and each payment needs it twice. */
  readonly #extensions: ReadonlyMap<string, BazaarExtension>;

  constructor(parts: PaywallParts) {
    this.#parts = parts;
    this.#extensions = new Map(parts.routes.map((route) => [route.id, bazaarExtension(route)]));
  }

  /**
   * Verifies a payment before anything is looked up or locked with it; returns the answer to the buyer if no
   * facilitator finds it good.
   */
  async prove(context: PaymentContext): Promise<PaywallReply | undefined> {
    const { payment, progress, resource } = context;
    const { authorization } = payment;
    const by = await this.verify({ ...payment, resource, amount: authorization.value }, context);
    if (typeof by === 'function') return by();
    progress.verifiedBy = by;
    return undefined;
  }

  /** The facilitator that found a payment good, or the answer to the buyer. */
  async verify(payment: Signed, context: PaymentContext): Promise<Facilitator | (() => PaywallReply)> {
    const { facilitators, limits, onVerified } = this.#parts;
    const { route, progress, address } = context;
    const started = performance.now();
    const request = this.requestOf(route, payment);
    const { outcome, by } = await facilitators.verify(request, { doubtful: progress.isDoubtful });
    progress.times.verifyMs = performance.now() - started;
    if (outcome.kind === 'unavailable') return () => unavailable(this.#parts, context, outcome.reason);
    if (outcome.kind === 'invalid') {
      return () => {
        limits.failed.take(payment.authorization.from, address);
        return refuse(this.#parts, context, outcome.reason);
      };
    }
    onVerified();
    return by;
  }

  /** The request to a facilitator, to verify a payment or to settle it. */
  requestOf(route: ProtectedRoute, payment: Signed): SettlementRequest {
    return settlementRequest(this.#parts.seller, route, payment, this.#extensions.get(route.id));
  }
}

import type { Good, PaymentContext, PaywallParts } from './paywall-context.ts';
import { inFlight, refuseCorrected, unavailable } from './replies.ts';
import type { AskedPayment } from './scheme.ts';
import type { PaywallReply } from './types.ts';

/** The word that a payment is good, or the answer to the buyer. */
export async function verify(
  parts: PaywallParts,
  payment: AskedPayment,
  context: PaymentContext,
): Promise<Good | (() => PaywallReply)> {
  const { route, progress, address, scheme } = context;
  const started = performance.now();
  const verified = await scheme.settlement.verify(payment, route, progress.isDoubtful);
  progress.times.verifyMs = performance.now() - started;
  if (verified.kind === 'unavailable') return () => unavailable(parts, context, verified.reason);
  if (verified.kind === 'busy') return () => inFlight(parts, context);
  if (verified.kind === 'invalid') {
    const refused = await refuseCorrected(parts, context, verified.reason);
    const { signer = payment.payer } = context.payment;
    return () => {
      parts.limits.failed.take(signer, address);
      return refused;
    };
  }
  parts.onVerified();
  return verified;
}

/**
 * Verifies a payment before anything is looked up or locked with it; returns the answer to the buyer if nobody finds it
 * good.
 *
 * @param amount the price that it pays, atomic units
 */
export async function prove(
  parts: PaywallParts,
  context: PaymentContext,
  amount: bigint,
): Promise<PaywallReply | undefined> {
  const { payment, progress, resource } = context;
  const { payer, signed } = payment;
  const verified = await verify(parts, { payer, signed, resource, amount: amount.toString() }, context);
  if (typeof verified === 'function') return verified();
  progress.verified = verified;
  return undefined;
}

import { usdText } from './amount.ts';
import { carriesPayment, parseAccountRequest, parsePayment } from './parse-payment.ts';
import { paymentIdHash, paymentKey, resourceHash } from './payment.ts';
import type { PaymentContext, PaywallParts } from './paywall-context.ts';
import { rejectPayment } from './replies.ts';
import { type AccountRequest, schemeAsked } from './scheme.ts';
import type { Seller } from './seller.ts';
import type { Claim } from './transition.ts';
import type { PaymentInput, PaywallReply, ProtectedRoute, Work } from './types.ts';

/** A request with a payment that was read, and not yet believed. */
export type RequestWithPayment = Omit<PaymentContext, 'progress'>;

/** A request that carries no payment, but one about the payer's account. */
export interface RequestAboutAccount extends Pick<PaymentContext, 'route' | 'address' | 'path'> {
  readonly seller: Seller;
  readonly make: AccountRequest;
}

/** Reads the payment of a request; an answer where there is none: what cannot be read cannot be looked up. */
export function readRequest(
  parts: PaywallParts,
  route: ProtectedRoute,
  input: PaymentInput,
  work: Work,
): RequestWithPayment | RequestAboutAccount | PaywallReply {
  const { address } = input;
  const path = input.resource.split('?', 1)[0] ?? route.path;
  if (input.method !== 'GET' || !carriesPayment(input))
    return parts.challenges.challenge(route, undefined, path);
  const { schemes } = parts;
  const parsed = parsePayment(input, schemes);
  if (!parsed.ok) {
    const request = parseAccountRequest(input, schemes);
    if (request !== undefined) return { route, address, path, ...request };
    return rejectPayment(parts, { route, address, path }, parsed.reason);
  }
  const payment = parsed.value;
  const { paymentId } = payment;
  const scheme = schemeAsked(schemes, payment.terms);
  if (scheme === undefined) throw new Error(`a payment of the scheme ${payment.scheme} was read`);
  const { network, asset } = scheme.seller;
  return {
    route,
    address,
    work,
    payment,
    scheme,
    path,
    resource: input.resource,
    key: paymentKey(network.id, asset, payment),
    resourceHash: resourceHash(input.method, input.resource),
    paymentIdHash: paymentId === undefined ? undefined : paymentIdHash(paymentId, network.id, payment),
  };
}

/**
 * The ledger's part of a request's payment.
 *
 * @param amount the price that it pays, atomic units
 */
export function claimOf(context: PaymentContext, amount: bigint): Claim {
  const { key, route, resource, resourceHash, paymentIdHash, scheme } = context;
  const { network, asset, payTo } = scheme.seller;
  const { payer, nonce, signed } = context.payment;
  return {
    key,
    routeId: route.id,
    resource,
    resourceHash,
    network: network.id,
    asset,
    payTo,
    payer,
    nonce,
    amount: amount.toString(),
    usd: usdText(amount),
    scheme: scheme.name,
    signed,
    overAt: scheme.format.overAt(signed),
    paymentIdHash,
  };
}

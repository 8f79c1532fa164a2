import { type BazaarExtension, bazaarExtension } from '../../bazaar.ts';
import { resourceOf, type SettlementRequest } from '../../facilitator.ts';
import type { AskedPayment } from '../../scheme.ts';
import type { Seller } from '../../seller.ts';
import type { ProtectedRoute } from '../../types.ts';
import type { SignedAuthorization } from './authorization.ts';
import { exactTerms } from './offer.ts';

/** The request to a facilitator, to verify an `exact` payment or to settle it. */
export type ExactRequest = SettlementRequest<SignedAuthorization>;

/**
 * The facilitator's view of a payment: our own terms, and the authorization as it was signed.
 *
 * @param bazaar the extension of the route, where it was made before
 */
export function settlementRequest(
  seller: Seller,
  route: ProtectedRoute,
  { payer, amount, resource, signed }: AskedPayment<SignedAuthorization>,
  bazaar: BazaarExtension = bazaarExtension(route),
): ExactRequest {
  const { from, to, value, validAfter, validBefore, nonce } = signed.authorization;
  const authorization = { from, to, value, validAfter, validBefore, nonce };
  return {
    requirement: exactTerms(seller, BigInt(amount)),
    payer,
    payload: { signature: signed.signature, authorization },
    resource: resourceOf(seller, route, resource),
    bazaar,
  };
}

import type { PaymentReason } from '../../../domain/payment-errors.ts';
import { sameAddress } from '../../address.ts';
import type { ReadPayment, Scheme } from '../../scheme.ts';
import type { Seller } from '../../seller.ts';
import { windowFault } from '../authorization-window.ts';
import { isSameAuthorization, type SignedAuthorization } from './authorization.ts';
import { EXACT_FORMAT } from './format.ts';
import { exactOffer } from './offer.ts';
import { readPayload } from './payload.ts';
import { createSettlement, type SettlementOptions } from './settlement.ts';
import type { SignatureFilter } from './signature.ts';

export interface ExactOptions extends SettlementOptions {
  readonly signatures: SignatureFilter;
}

/** `exact`: each payment is an EIP-3009 authorization of the price, which is settled before its answer is delivered. */
export function createExactScheme(options: ExactOptions): Scheme<SignedAuthorization> {
  const { seller, signatures } = options;
  return {
    ...exactOffer(seller),
    format: EXACT_FORMAT,
    settlement: createSettlement(options),
    read: readPayload,
    isSame: isSameAuthorization,
    priceOf: (payment, amounts) => priceOf(seller, payment, amounts),
    timeFault: ({ authorization }, now) => windowFault(authorization, now),
    match: (signed) => signatures.check(signed),
    signatureFault: (signed) => signatures.faultOf(signed),
  };
}

function priceOf(
  { payTo }: Seller,
  { signed: { authorization } }: ReadPayment<SignedAuthorization>,
  amounts: readonly bigint[],
): bigint | PaymentReason {
  if (!sameAddress(authorization.to, payTo)) return 'invalid_recipient';
  const value = BigInt(authorization.value);
  return amounts.includes(value) ? value : 'invalid_amount';
}

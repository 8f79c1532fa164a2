/**
 * Why a payment was not taken: the code goes into the challenge's `error`, the sentence into its `detail`. Codes
 * of a facilitator are passed on as they are; those without an own sentence share one.
 */
const PAYMENT_REASONS = {
  malformed_payment_header: 'The payment header is not base64 of a JSON payment payload.',
  payment_header_too_large: 'The payment header is larger than 12 KiB.',
  conflicting_payment_headers: 'X-PAYMENT and PAYMENT-SIGNATURE carry different payments: send one of them.',
  invalid_x402_version: 'The payment payload must be of x402 version 1 or 2.',
  invalid_payload: 'The payment payload lacks a signature or an EIP-3009 authorization of the right form.',
  invalid_payment_identifier: 'A payment id has 16 to 128 characters of A-Z a-z 0-9 _ -.',
  invalid_scheme: 'Only the scheme exact is taken.',
  invalid_network: 'The payment is for another network.',
  invalid_asset: 'The payment is in another asset.',
  invalid_amount: 'The authorized value must be exactly the price.',
  invalid_recipient: 'The payment is to another address than payTo.',
  invalid_timeout: 'The payment was made against terms with another maxTimeoutSeconds.',
  invalid_resource: 'The payment names another resource.',
  authorization_not_yet_valid: 'validAfter lies in the future.',
  authorization_expired: 'validBefore must be at least six seconds away.',
  authorization_too_long: 'validBefore must be at most 660 seconds away.',
  invalid_signature: 'The signature was not made by the payer for this authorization.',
  authorization_used: 'This authorization has been used: sign a new one.',
  authorization_cancelled: 'The payer cancelled this authorization.',
  authorization_unused: 'This authorization expired unused: nothing was charged.',
  transfer_missing: 'The authorization was used in a transaction that did not pay.',
  settlement_refused: 'The payment could not be settled: nothing was charged.',
} as const;

export type PaymentReason = keyof typeof PAYMENT_REASONS;

const CODE = /^[a-z0-9_]{1,64}$/;
/** The longest code that {@link reasonCode} lets through. */
export const LONGEST_REASON = 'x'.repeat(64);

/** A facilitator's reason as a short code; anything else (library text, call data) becomes `fallback`. */
export function reasonCode(text: unknown, fallback: PaymentReason = 'settlement_refused'): string {
  return typeof text === 'string' && CODE.test(text) ? text : fallback;
}

/** The sentence of a code. */
export function reasonDetail(code: string): string {
  if (Object.hasOwn(PAYMENT_REASONS, code)) return PAYMENT_REASONS[code as PaymentReason];
  return 'The facilitator did not accept the payment: nothing was charged.';
}

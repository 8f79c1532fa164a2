import type { ErrorText } from './error-text.ts';

/** As every refusal of a payment. */
const REFUSED = { status: 402, charged: false } as const;

/**
 * The reason for a challenge: the code goes into its `error` and `code`, the cause into its `detail`. Part of
 * the one table of codes.
 */
export const PAYMENT_ERRORS = {
  payment_required: {
    ...REFUSED,
    title: 'Payment required',
    cause: 'The path is sold, and the request carries no payment.',
    remedy: 'Sign one entry of accepts and repeat the request with it.',
  },
  malformed_payment_header: {
    ...REFUSED,
    title: 'The payment cannot be read',
    cause: 'The payment header is not base64 of a JSON payment payload.',
    remedy: 'Send the payload as JSON in base64, as x402 clients do.',
  },
  payment_header_too_large: {
    ...REFUSED,
    title: 'The payment header is too large',
    cause: 'The payment header is larger than 12 KiB.',
    remedy: 'Send the payload alone, with the terms as they were given.',
  },
  conflicting_payment_headers: {
    ...REFUSED,
    title: 'Two different payments',
    cause: 'X-PAYMENT and PAYMENT-SIGNATURE carry different payments.',
    remedy: 'Send one of them.',
  },
  invalid_x402_version: {
    ...REFUSED,
    title: 'Unknown protocol version',
    cause: 'The payment payload must be of x402 version 1 or 2.',
    remedy: 'Set x402Version to 1 or 2.',
  },
  invalid_payload: {
    ...REFUSED,
    title: 'The payload is not whole',
    cause: 'The payment payload lacks a signature or an EIP-3009 authorization of the right form.',
    remedy: 'Send signature and authorization with from, to, value, validAfter, validBefore and nonce.',
  },
  invalid_payment_identifier: {
    ...REFUSED,
    title: 'No payment identifier',
    cause: 'A payment id has 16 to 128 characters of A-Z a-z 0-9 _ -.',
    remedy: 'Choose another id, or send none.',
  },
  invalid_scheme: {
    ...REFUSED,
    title: 'Another scheme',
    cause: 'The payment is of a scheme that is not taken here.',
    remedy: 'Sign an entry of accepts.',
  },
  invalid_network: {
    ...REFUSED,
    title: 'Another network',
    cause: 'The payment is for another network.',
    remedy: 'Sign for the network of accepts.',
  },
  invalid_asset: {
    ...REFUSED,
    title: 'Another asset',
    cause: 'The payment is in another asset.',
    remedy: 'Pay in the asset of accepts.',
  },
  invalid_amount: {
    ...REFUSED,
    title: 'Not the price',
    cause: 'The authorized value must be exactly the price.',
    remedy:
      'Sign a new authorization of maxAmountRequired; after a change of the price take the terms of this answer.',
  },
  invalid_recipient: {
    ...REFUSED,
    title: 'Another receiver',
    cause: 'The payment is to another address than payTo.',
    remedy: 'Sign a new authorization to payTo of accepts.',
  },
  invalid_timeout: {
    ...REFUSED,
    title: 'Another timeout',
    cause: 'The payment was made against terms with another maxTimeoutSeconds.',
    remedy: 'Take the terms of this answer.',
  },
  invalid_resource: {
    ...REFUSED,
    title: 'Another resource',
    cause: 'The payment names another resource.',
    remedy: 'Take the terms of the path that is asked for.',
  },
  invalid_channel: {
    ...REFUSED,
    title: 'A channel on other terms',
    cause:
      'The channel has another receiverAuthorizer or withdrawDelay than accepts, or no plain key as its payerAuthorizer.',
    remedy: 'Open a channel on the terms of accepts, with the address of a plain key as payerAuthorizer.',
  },
  channel_leaving: {
    ...REFUSED,
    title: 'The channel is being emptied',
    cause: 'Money of the channel is on its way back to its buyer: nothing is sold by it.',
    remedy: 'Pay by exact, or by a channel with another salt; after a refund of a part by this one again.',
  },
  authorization_not_yet_valid: {
    ...REFUSED,
    title: 'Not yet valid',
    cause: 'validAfter of the authorization lies in the future.',
    remedy:
      'Wait until then, or sign with validAfter now or before; where it should be past, set the clock right.',
  },
  authorization_expired: {
    ...REFUSED,
    title: 'Expired',
    cause: 'validBefore of the authorization must be at least six seconds away.',
    remedy: 'Sign a new authorization.',
  },
  authorization_too_long: {
    ...REFUSED,
    title: 'Valid for too long',
    cause: 'validBefore of the authorization must be at most 660 seconds away.',
    remedy: 'Sign a new authorization with a nearer validBefore.',
  },
  invalid_signature: {
    ...REFUSED,
    title: 'Not the payer’s signature',
    cause: 'The signature was not made by the payer for this authorization.',
    remedy:
      'Sign what is sent, with the key of from and the domain of accepts: extra.name and extra.version, the chain of network, asset.',
  },
  wrong_domain: {
    ...REFUSED,
    title: 'Signed for another domain',
    cause:
      'The payer signed this authorization, but under another EIP-712 domain than that of the token: another name, version, chain or contract.',
    remedy:
      'Sign under extra.name and extra.version of accepts, the chain id of network, and asset as verifyingContract.',
  },
  high_s_signature: {
    ...REFUSED,
    title: 'The signature has a high s',
    cause:
      'The payer signed this authorization, but s lies in the upper half of the curve’s order, which the token refuses.',
    remedy: 'Send the lower twin: s subtracted from the order, v 27 for 28 or 28 for 27.',
  },
  insufficient_funds: {
    ...REFUSED,
    title: 'Not enough funds',
    cause: 'The payer has less of the token than the price.',
    remedy:
      'Fund the payer’s account on the network of accepts, then send the same payment while it is valid, or a new one.',
  },
  account_blocked: {
    ...REFUSED,
    title: 'The account is blocked',
    cause: 'The token, or the screening of the facilitator, blocks the payer or the receiver.',
    remedy: 'Pay from another account.',
  },
  contract_wallet_not_deployed: {
    ...REFUSED,
    title: 'The contract wallet does not exist yet',
    cause:
      'The signature is of a contract wallet that is not deployed, and nothing is deployed for others here.',
    remedy: 'Deploy the wallet first, or pay with another account.',
  },
  token_paused: {
    ...REFUSED,
    title: 'The token is paused',
    cause: 'The issuer has paused the token: nobody can pay with it.',
    remedy: 'Come back later.',
  },
  payment_would_fail: {
    ...REFUSED,
    title: 'The transfer would fail',
    cause: 'The transfer was simulated, and the token turns it down without a reason that is known here.',
    remedy: 'Check the account, and sign a new authorization.',
  },
  payment_reverted: {
    ...REFUSED,
    title: 'The transfer failed',
    cause: 'The transaction of the transfer was reverted: no money moved.',
    remedy: 'Sign a new authorization.',
  },
  payment_refused: {
    ...REFUSED,
    title: 'The facilitator refused the payment',
    cause: 'The facilitator did not accept the payment, for a reason of its own: nothing was charged.',
    remedy: 'Sign a new payment; where it is refused again, tell the operator the facilitator’s word.',
  },
  authorization_used: {
    ...REFUSED,
    title: 'The authorization was used',
    cause: 'This authorization has been used, by an earlier request with it or elsewhere.',
    remedy: 'Sign a new one. Where the earlier request was the same, its transaction is on the chain.',
  },
  authorization_cancelled: {
    ...REFUSED,
    title: 'The authorization was cancelled',
    cause: 'The payer cancelled this authorization.',
    remedy: 'Sign a new one.',
  },
  authorization_unused: {
    ...REFUSED,
    title: 'The authorization expired unused',
    cause: 'This authorization expired unused: nothing was charged.',
    remedy: 'Sign a new one.',
  },
  transfer_missing: {
    ...REFUSED,
    title: 'No transfer',
    cause: 'The authorization was used in a transaction that did not pay.',
    remedy: 'Sign a new one.',
  },
  refund_not_proven: {
    ...REFUSED,
    title: 'The refund may be somebody else’s wish',
    cause:
      'The refund is asked for by a voucher that was claimed: anybody can read its signature on the chain. Nothing was given back.',
    remedy:
      'Buy once more by the channel and ask again, or sign the same voucher with a signature that differs, or withdraw through the contract.',
  },
  refund_refused: {
    ...REFUSED,
    title: 'The refund is refused',
    cause:
      'The facilitators of the seller refuse to send the refund. Nothing was given back, and its money buys nothing meanwhile.',
    remedy: 'Ask again later, or withdraw through the contract.',
  },
  settlement_refused: {
    ...REFUSED,
    title: 'Not settled',
    cause: 'The payment could not be settled: nothing was charged.',
    remedy: 'Sign a new payment.',
  },
} as const satisfies Readonly<Record<string, ErrorText>>;

/** A code that a challenge may carry. */
export type PaymentReason = keyof typeof PAYMENT_ERRORS;

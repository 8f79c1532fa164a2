import type { PaymentReason } from '../../../domain/payment-errors.ts';
import type { SchemeOffer } from '../../scheme.ts';
import type { Seller } from '../../seller.ts';
import { type ChannelTerms, channelTerms, SCHEME_NAME } from './terms.ts';

/** The word by which programs of the scheme know that they have to set their total right. */
export const TOTAL_MISMATCH = 'invalid_batch_settlement_evm_cumulative_amount_mismatch';

/** The words about a refund by which they know that it is of no use to try again. */
export const NOTHING_LEFT = 'invalid_batch_settlement_evm_refund_no_balance';
export const WRONG_REFUND = 'invalid_batch_settlement_evm_refund_amount_invalid';

/** The code that a buyer gets for each word of a facilitator about a deposit. */
const REASONS: Readonly<Record<string, PaymentReason>> = {
  invalid_batch_settlement_evm_insufficient_balance: 'insufficient_funds',
  invalid_batch_settlement_evm_cumulative_exceeds_balance: 'insufficient_funds',
  invalid_batch_settlement_evm_cumulative_below_claimed: 'invalid_amount',
  [TOTAL_MISMATCH]: 'invalid_amount',
  invalid_batch_settlement_evm_voucher_signature: 'invalid_signature',
  invalid_batch_settlement_evm_receive_authorization_signature: 'invalid_signature',
  invalid_batch_settlement_evm_payload_authorization_valid_after: 'authorization_not_yet_valid',
  invalid_batch_settlement_evm_payload_authorization_valid_before: 'authorization_expired',
  invalid_batch_settlement_evm_deposit_simulation_failed: 'payment_would_fail',
  invalid_batch_settlement_evm_deposit_transaction_failed: 'payment_reverted',
  [NOTHING_LEFT]: 'insufficient_funds',
  [WRONG_REFUND]: 'invalid_amount',
  invalid_batch_settlement_evm_receiver_mismatch: 'invalid_recipient',
  invalid_batch_settlement_evm_token_mismatch: 'invalid_asset',
};

/** Among the terms while no deposit is taken, and vouchers of funded channels are. */
const DEPOSITS_CLOSED = { depositsClosed: true } as const;

/** The scheme in sentences, for agents. */
const WORDS =
  'Many calls cost less by a payment channel, the scheme batch-settlement of x402 version 2: the first payment brings a deposit that opens the channel, each further one is a voucher, signed without a transaction, for the total so far and the price, in the header PAYMENT-SIGNATURE; @x402/evm has its client, and what is left of a deposit is given back on request.';

/**
 * Sales by channel in challenges and in the catalog.
 *
 * @param isOpen false while no deposit is taken
 */
export function channelOffer(
  seller: Seller,
  terms: ChannelTerms,
  isOpen: () => boolean = () => true,
): SchemeOffer {
  return {
    name: SCHEME_NAME,
    seller,
    isOfV1: false,
    reasons: REASONS,
    words: () => WORDS,
    isOpen,
    terms(amount) {
      const offered = channelTerms(seller, terms, amount);
      return isOpen() ? offered : { ...offered, extra: { ...offered.extra, ...DEPOSITS_CLOSED } };
    },
  };
}

import type { PaymentReason } from '../../../domain/payment-errors.ts';

/**
 * Words of facilitators, and the code that the buyer gets for each. Sources: the error constants of `@x402/evm`
 * (scheme exact) and of the x402 specification, Coinbase's hosted facilitator (its own words begin with settle_
 * or end with _kyt), and our own facilitator of mode `self`.
 */
export const FACILITATOR_REASONS = {
  // Funds and accounts.
  insufficient_funds: 'insufficient_funds',
  insufficient_balance: 'insufficient_funds',
  invalid_exact_evm_insufficient_balance: 'insufficient_funds',
  payer_blacklisted: 'account_blocked',
  invalid_exact_evm_payload_authorization_from_address_kyt: 'account_blocked',
  invalid_exact_evm_payload_authorization_to_address_kyt: 'account_blocked',
  // Signatures.
  invalid_signature: 'invalid_signature',
  invalid_exact_evm_signature: 'invalid_signature',
  invalid_exact_evm_payload_signature: 'invalid_signature',
  invalid_exact_evm_payload_signature_address: 'invalid_signature',
  invalid_exact_evm_failed_to_parse_signature: 'invalid_signature',
  invalid_exact_evm_token_name_mismatch: 'wrong_domain',
  invalid_exact_evm_token_version_mismatch: 'wrong_domain',
  invalid_exact_evm_missing_eip712_domain: 'wrong_domain',
  eip6492_factory_not_allowed: 'contract_wallet_not_deployed',
  smart_wallet_deployment_failed: 'contract_wallet_not_deployed',
  invalid_exact_evm_payload_undeployed_smart_wallet: 'contract_wallet_not_deployed',
  // Times.
  invalid_exact_evm_payload_authorization_valid_after: 'authorization_not_yet_valid',
  invalid_exact_evm_payload_authorization_valid_before: 'authorization_expired',
  payment_expired: 'authorization_expired',
  // Use.
  invalid_exact_evm_nonce_already_used: 'authorization_used',
  invalid_exact_evm_payload_authorization_nonce: 'authorization_used',
  nonce_already_used: 'authorization_used',
  duplicate_settlement: 'authorization_used',
  // Terms.
  invalid_exact_evm_payload_authorization_value: 'invalid_amount',
  invalid_exact_evm_payload_authorization_value_mismatch: 'invalid_amount',
  invalid_exact_evm_payload_authorization_value_too_low: 'invalid_amount',
  invalid_exact_evm_authorization_value: 'invalid_amount',
  invalid_exact_evm_payload_recipient_mismatch: 'invalid_recipient',
  invalid_exact_evm_recipient_mismatch: 'invalid_recipient',
  invalid_exact_evm_payload_authorization_to: 'invalid_recipient',
  invalid_exact_evm_scheme: 'invalid_scheme',
  unsupported_scheme: 'invalid_scheme',
  invalid_exact_evm_network_mismatch: 'invalid_network',
  asset_not_deployed_contract: 'invalid_asset',
  invalid_exact_evm_eip3009_not_supported: 'invalid_asset',
  unsupported_payload_type: 'invalid_payload',
  // The chain.
  invalid_exact_evm_transaction_simulation_failed: 'payment_would_fail',
  invalid_exact_evm_transaction_failed: 'payment_reverted',
  invalid_transaction_state: 'payment_reverted',
  transaction_reverted: 'payment_reverted',
  settle_exact_failed_onchain: 'payment_reverted',
  settle_exact_node_failure: 'settlement_refused',
  invalid_exact_evm_transfer_event_mismatch: 'transfer_missing',
} as const satisfies Readonly<Record<string, PaymentReason>>;

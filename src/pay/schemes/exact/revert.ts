import type { PaymentReason } from '../../../domain/payment-errors.ts';
import { RpcError } from '../../rpc.ts';
import type { FacilitatorReason } from './facilitator-reasons.ts';

/** Selector of Error(string): what a contract's `require` reverts with. */
const ERROR_STRING = '0x08c379a0';

/** A word that has a code of its own for the buyer. */
export type RevertReason = FacilitatorReason | PaymentReason;

/** The token's words (FiatTokenV2 and its base contracts), and the reason that the buyer gets. */
const REASONS: readonly (readonly [RegExp, RevertReason])[] = [
  [/used or canceled/i, 'invalid_exact_evm_nonce_already_used'],
  [/is expired/i, 'invalid_exact_evm_payload_authorization_valid_before'],
  [/not yet valid/i, 'invalid_exact_evm_payload_authorization_valid_after'],
  [/invalid signature|ECRecover/i, 'invalid_exact_evm_signature'],
  [/exceeds balance/i, 'invalid_exact_evm_insufficient_balance'],
  [/blacklisted/i, 'payer_blacklisted'],
  [/paused/i, 'token_paused'],
];

export const NONCE_USED = 'invalid_exact_evm_nonce_already_used';
export const TOKEN_PAUSED = 'token_paused';
export const UNNAMED_REVERT = 'invalid_exact_evm_transaction_simulation_failed';

/**
 * The reason for which a simulated call was reverted; undefined where the failure is the node's and says
 * nothing about the call.
 */
export function revertReason(cause: unknown): RevertReason | undefined {
  if (!(cause instanceof RpcError) || cause.answer === undefined) return undefined;
  const { code, message, data } = cause.answer;
  if (code !== 3 && !/revert/i.test(message)) return undefined;
  const words = `${message} ${decodeErrorString(data)}`;
  return REASONS.find(([pattern]) => pattern.test(words))?.[1] ?? UNNAMED_REVERT;
}

/** The text of ABI-encoded Error(string); empty for anything else. */
function decodeErrorString(data: string): string {
  if (!data.startsWith(ERROR_STRING)) return '';
  const bytes = Buffer.from(data.slice(ERROR_STRING.length), 'hex');
  if (bytes.length < 64) return '';
  const length = bytes.readUInt32BE(60);
  return bytes.subarray(64, 64 + length).toString('utf8');
}

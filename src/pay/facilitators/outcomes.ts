import type { SettleResponse, VerifyResponse } from '@x402/core/types';
import { SettleError, VerifyError } from '@x402/core/types';
import { sameAddress } from '../address.ts';
import type { SettlementRequest, SettleOutcome, VerifyOutcome } from '../facilitator.ts';
import { NETWORKS } from '../networks.ts';
import { reasonCode } from '../reasons.ts';
import { StatusError } from './http-client.ts';

const TRANSACTION = /^0x[0-9a-fA-F]{64}$/;
const PENDING = 'settlement_pending';

/**
 * Failure reasons that do not say that no money moved: still waiting, the nonce is used (perhaps by this very
 * payment), or the facilitator does not know itself.
 */
const UNDECIDED =
  /pending|already|duplicate|nonce|time_?d?_?out|unexpected|transaction_state|event_mismatch|internal|broadcast/;
/** The node failed, perhaps after it had passed the transaction on. */
const NODE_FAILED = /node_failure/;
/**
 * In a transaction it was reverted. Without one it was not sent as far as the facilitator knows: `@x402/evm` says
 * so of whatever its node answers, or does not.
 */
const SENDING_FAILED = /(?:^|_)(?:transaction|settlement|settle)_failed$/;

/** Status codes with which a request is turned away before it is worked on. */
const TURNED_AWAY: ReadonlySet<number> = new Set([
  301, 302, 307, 308, 400, 401, 403, 404, 405, 413, 415, 422, 429,
]);

/** Failures to connect: nothing was sent. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The meaning of an answer to `verify`. */
export function verifyOutcome(response: VerifyResponse, request: SettlementRequest): VerifyOutcome {
  if (response.isValid !== true) {
    const reason = reasonCode(response.invalidReason, 'payment_refused');
    return /unexpected|internal/.test(reason) ? { kind: 'unavailable', reason } : { kind: 'invalid', reason };
  }
  return isOtherPayer(response.payer, request)
    ? { kind: 'unavailable', reason: 'facilitator_named_another_payer' }
    : { kind: 'valid' };
}

/** The meaning of a rejected `verify`. Only a well-formed refusal below 500 is one. */
export function verifyFailure(cause: unknown): VerifyOutcome {
  if (cause instanceof VerifyError && cause.statusCode < 500 && cause.invalidReason !== undefined) {
    return { kind: 'invalid', reason: reasonCode(cause.invalidReason, 'payment_refused') };
  }
  return { kind: 'unavailable', reason: failureName(cause) };
}

/** The meaning of an answer to `settle`. The status code says nothing: only `success` does. */
export function settleOutcome(response: SettleResponse, request: SettlementRequest): SettleOutcome {
  const transaction = transactionOf(response.transaction);
  if (response.success !== true) return settleRefusal(response.errorReason, transaction);
  if (transaction === undefined) return unknown('success_without_transaction', undefined);
  if (isOtherPayer(response.payer, request)) return unknown('facilitator_named_another_payer', transaction);
  if (isOtherNetwork(response.network, request))
    return unknown('facilitator_named_another_network', transaction);
  const { requirement, moves = requirement.amount } = request;
  if (response.amount !== undefined && moves !== null && response.amount !== moves) {
    return unknown('facilitator_named_another_amount', transaction);
  }
  return { kind: 'settled', transaction };
}

/**
 * The meaning of a rejected `settle`: unknown, unless nothing can have been sent or it was turned away unread.
 */
export function settleFailure(cause: unknown): SettleOutcome {
  if (cause instanceof SettleError) {
    const transaction = transactionOf(cause.transaction);
    if (cause.statusCode < 500 || cause.errorReason === PENDING)
      return settleRefusal(cause.errorReason, transaction);
    return unknown(reasonCode(cause.errorReason, 'settlement_refused'), transaction, true);
  }
  const name = failureName(cause);
  const unread = cause instanceof StatusError && TURNED_AWAY.has(cause.status);
  if (unread || NOT_CONNECTED.has(name)) return { kind: 'unsent', reason: name };
  return unknown(name, undefined, true);
}

function settleRefusal(text: string | undefined, transaction: string | undefined): SettleOutcome {
  const reason = reasonCode(text);
  if (text === undefined || UNDECIDED.test(reason)) return unknown(reason, transaction);
  // A reason that is no single word is the text of an exception, thrown before the transaction was sent or
  // after.
  const isThrown = reason !== text || NODE_FAILED.test(reason);
  const isUnseen = transaction === undefined && SENDING_FAILED.test(reason);
  if (isThrown || isUnseen) return unknown(reason, transaction, true);
  return { kind: 'refused', reason, transaction };
}

function unknown(reason: string, transaction: string | undefined, failed = false): SettleOutcome {
  return { kind: 'unknown', reason, pending: reason === PENDING, ...(failed && { failed }), transaction };
}

function transactionOf(text: unknown): string | undefined {
  return typeof text === 'string' && TRANSACTION.test(text) ? text.toLowerCase() : undefined;
}

function isOtherPayer(payer: string | undefined, request: SettlementRequest): boolean {
  return payer !== undefined && payer !== '' && !sameAddress(payer, request.payer);
}

/** Facilitators name the network in either generation, or not at all. */
function isOtherNetwork(network: string, { requirement }: SettlementRequest): boolean {
  const ours = [requirement.network, NETWORKS[requirement.network]?.v1Name, ''];
  return !ours.includes(network);
}

/** A short name of a failure, free of addresses and library text. */
function failureName(cause: unknown): string {
  if (cause instanceof StatusError) return `status_${cause.status}`;
  for (let error = cause, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if ('code' in error && typeof error.code === 'string') return error.code;
    if (error.name !== 'Error' && error.name !== 'TypeError') return error.name;
  }
  return 'facilitator_failed';
}

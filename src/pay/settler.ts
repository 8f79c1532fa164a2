import { bazaarExtension } from './bazaar.ts';
import type { Facilitator, SettlementRequest, SettleOutcome } from './facilitator.ts';
import type { ProofResult, SettlementProof } from './proof.ts';
import type { PaymentRecord } from './record.ts';
import { coreRequirement, MIME_TYPE } from './requirement.ts';
import type { Seller } from './seller.ts';
import type { ProtectedRoute } from './types.ts';

/** The end of an attempt to settle. */
export type Settlement =
  | { readonly kind: 'settled'; readonly transaction: string; readonly proof: 'rpc' | 'facilitator' }
  | { readonly kind: 'refused'; readonly reason: string; readonly transaction: string | undefined }
  | { readonly kind: 'unsent'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string; readonly transaction: string | undefined };

/** A node may see a block later than the facilitator's own: so often, and so long apart, it is asked again. */
export interface ProofPatience {
  readonly tries: number;
  readonly pauseMs: number;
}

const DEFAULT_PATIENCE: ProofPatience = { tries: 10, pauseMs: 500 };
/** Blocks are made until this long after validBefore with an earlier time. */
const EXPIRY_MARGIN_SECONDS = 12;

export interface SettlerOptions {
  readonly facilitator: Facilitator;
  /** Undefined: the facilitator's word is taken. */
  readonly proof: SettlementProof | undefined;
  readonly patience?: ProofPatience;
}

/** Settles payments, and finds out what has become of them. */
export interface Settler {
  readonly proof: 'rpc' | 'facilitator';
  /** Asks the facilitator to move the money, and the chain whether it did. */
  settle(record: PaymentRecord, request: SettlementRequest): Promise<Settlement>;
  /** Looks again at a payment whose outcome is unknown. */
  examine(record: PaymentRecord, request: SettlementRequest | undefined): Promise<Settlement>;
}

export function createSettler({ facilitator, proof, patience = DEFAULT_PATIENCE }: SettlerOptions): Settler {
  const settle = async (record: PaymentRecord, request: SettlementRequest): Promise<Settlement> => {
    const outcome = await settleTwiceIfPending(facilitator, request);
    if (proof === undefined)
      return outcome.kind === 'settled' ? { ...outcome, proof: 'facilitator' } : outcome;
    if (outcome.kind === 'unsent') return outcome;
    if (outcome.kind === 'settled') return confirm(proof, record, outcome.transaction, patience);
    const seen = conclude(record, await proof.prove(record, outcome.transaction));
    // The chain's word stands over a refusal: somebody else may have submitted the authorization.
    return seen.kind === 'unknown' && outcome.kind === 'refused' ? outcome : withTransaction(seen, outcome);
  };
  return {
    proof: proof === undefined ? 'facilitator' : 'rpc',
    settle,
    async examine(record, request) {
      if (proof !== undefined) return conclude(record, await proof.prove(record, record.transaction));
      const unknown = {
        kind: 'unknown',
        reason: record.reason ?? 'unproven',
        transaction: record.transaction,
      } as const;
      if (request === undefined) return unknown;
      const outcome = await facilitator.settle(request);
      // Only success decides: an earlier attempt may be the very reason why this one is refused.
      return outcome.kind === 'settled' ? { ...outcome, proof: 'facilitator' } : unknown;
    },
  };
}

/** `settlement_pending` asks for one repetition with the identical payload; it joins the first transaction. */
async function settleTwiceIfPending(
  facilitator: Facilitator,
  request: SettlementRequest,
): Promise<SettleOutcome> {
  const first = await facilitator.settle(request);
  if (first.kind !== 'unknown' || !first.pending) return first;
  const second = await facilitator.settle(request);
  const decided =
    second.kind === 'settled' || (second.kind === 'refused' && second.transaction !== undefined);
  return decided ? second : first;
}

async function confirm(
  proof: SettlementProof,
  record: PaymentRecord,
  transaction: string,
  { tries, pauseMs }: ProofPatience,
): Promise<Settlement> {
  // A node that hangs must not keep the buyer longer than one that answers.
  const until = performance.now() + tries * pauseMs;
  for (let i = 1; ; i++) {
    const seen = conclude(record, await proof.prove(record, transaction));
    if (seen.kind !== 'unknown') return seen;
    if (i >= tries || performance.now() >= until)
      return { kind: 'unknown', reason: 'not_seen_on_chain', transaction };
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function conclude(record: PaymentRecord, seen: ProofResult): Settlement {
  switch (seen.kind) {
    case 'settled':
      return { kind: 'settled', transaction: seen.transaction, proof: 'rpc' };
    case 'cancelled':
      return { kind: 'refused', reason: 'authorization_cancelled', transaction: seen.transaction };
    case 'unused': {
      const expired = seen.chainTime >= Number(record.authorization.validBefore) + EXPIRY_MARGIN_SECONDS;
      return expired
        ? { kind: 'refused', reason: 'authorization_unused', transaction: undefined }
        : { kind: 'unknown', reason: 'not_yet_used', transaction: undefined };
    }
    case 'unknown':
      return { kind: 'unknown', reason: seen.reason, transaction: undefined };
  }
}

function withTransaction(seen: Settlement, outcome: SettleOutcome): Settlement {
  if (seen.kind !== 'unknown' || outcome.kind === 'unsent') return seen;
  const reason = outcome.kind === 'settled' ? seen.reason : outcome.reason;
  return { kind: 'unknown', reason, transaction: outcome.transaction };
}

/** What the facilitator gets of a payment: our own terms, and the authorization as it was signed. */
export function settlementRequest(
  seller: Seller,
  route: ProtectedRoute,
  record: Pick<PaymentRecord, 'path' | 'amount' | 'authorization' | 'signature'>,
): SettlementRequest {
  return {
    requirement: coreRequirement(seller, BigInt(record.amount)),
    authorization: record.authorization,
    signature: record.signature,
    resource: {
      url: seller.baseUrl + record.path,
      description: route.description,
      mimeType: MIME_TYPE,
      serviceName: seller.serviceName,
      tags: route.tags,
      iconUrl: seller.iconUrl,
    },
    bazaar: bazaarExtension(route),
  };
}

import type { Facilitator, SettlementRequest, SettleOutcome } from './facilitator.ts';
import type { FacilitatorList } from './facilitator-list.ts';
import type { Ledger } from './ledger.ts';
import type { ProofResult, SettlementProof } from './proof.ts';
import type { PaymentRecord } from './record.ts';

/** The end of an attempt to settle. */
export type Settlement =
  | { readonly kind: 'settled'; readonly transaction: string; readonly proof: 'rpc' | 'facilitator' }
  /** `final`: the chain itself rules out that the money still moves. */
  | {
      readonly kind: 'refused';
      readonly reason: string;
      readonly transaction: string | undefined;
      readonly final: boolean;
    }
  | { readonly kind: 'unsent'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string; readonly transaction: string | undefined };

/** A node may see a block later than the facilitator's own: so often, and so long apart, it is asked again. */
export interface ProofPatience {
  readonly tries: number;
  readonly pauseMs: number;
}

const DEFAULT_PATIENCE: ProofPatience = { tries: 10, pauseMs: 500 };
/** Settle (20 s), once more while pending, and the proof. */
export const SETTLE_LEASE_MS = 60_000;
/** Blocks are made until this long after validBefore with an earlier time. */
export const EXPIRY_MARGIN_SECONDS = 12;

export interface SettlerOptions {
  readonly facilitators: FacilitatorList;
  readonly ledger: Ledger;
  /** Undefined: the facilitator's word is taken. */
  readonly proof: SettlementProof | undefined;
  readonly patience?: ProofPatience;
}

/** What came of settling a payment, and its record, which says who was asked. */
export interface Settled {
  readonly settlement: Settlement;
  readonly record: PaymentRecord;
}

/** Settles payments, and finds out what has become of them. */
export interface Settler {
  readonly proof: 'rpc' | 'facilitator';
  /**
   * Asks a facilitator to move the money, and the chain whether it did. Undefined where the payment was taken over by
   * somebody else meanwhile.
   */
  settle(record: PaymentRecord, request: SettlementRequest): Promise<Settled | undefined>;
  /** Looks again at a payment whose outcome is unknown. */
  examine(record: PaymentRecord, request: SettlementRequest | undefined): Promise<Settlement>;
}

export function createSettler({
  facilitators,
  ledger,
  proof,
  patience = DEFAULT_PATIENCE,
}: SettlerOptions): Settler {
  return {
    proof: proof === undefined ? 'facilitator' : 'rpc',
    async settle(start, request) {
      let record = start;
      let outcome: SettleOutcome = { kind: 'unsent', reason: 'no_facilitator' };
      for (const facilitator of facilitators.startingWith(start.facilitator)) {
        if (record.facilitator !== facilitator.name) {
          const asked = await nameAsked(ledger, record, facilitator);
          if (asked === undefined) return undefined;
          record = asked;
        }
        outcome = await facilitator.settle(request);
        if (outcome.kind === 'unknown' && outcome.pending) {
          outcome = await settleAgain(facilitator, request, outcome);
        }
        if (outcome.kind !== 'unsent') break;
      }
      if (proof === undefined) return { record, settlement: believed(outcome) };
      return { record, settlement: await judge(proof, record, outcome, patience) };
    },
    async examine(record, request) {
      if (proof !== undefined) return conclude(record, await proof.prove(record, record.transaction));
      const { reason = 'unproven', transaction } = record;
      const facilitator = facilitators.named(record.facilitator);
      if (request === undefined || facilitator === undefined) return { kind: 'unknown', reason, transaction };
      const outcome = await facilitator.settle(request);
      // Only success decides: an earlier attempt may be the very reason why this one is refused.
      if (outcome.kind !== 'settled') return { kind: 'unknown', reason, transaction };
      return { ...outcome, proof: 'facilitator' };
    },
  };
}

/** Whoever is asked stands in the ledger before, durably: after a crash nobody else may be asked. */
function nameAsked(
  ledger: Ledger,
  record: PaymentRecord,
  { name }: Facilitator,
): Promise<PaymentRecord | undefined> {
  return ledger.work(record, { facilitator: name }, SETTLE_LEASE_MS, { flush: true });
}

/** `settlement_pending` asks for one repetition with the identical payload; it joins the first transaction. */
async function settleAgain(
  facilitator: Facilitator,
  request: SettlementRequest,
  first: SettleOutcome,
): Promise<SettleOutcome> {
  const second = await facilitator.settle(request);
  const decided =
    second.kind === 'settled' || (second.kind === 'refused' && second.transaction !== undefined);
  return decided ? second : first;
}

/** The facilitator's word, where the chain cannot be asked. */
function believed(outcome: SettleOutcome): Settlement {
  if (outcome.kind === 'settled') return { ...outcome, proof: 'facilitator' };
  return outcome.kind === 'refused' ? { ...outcome, final: false } : outcome;
}

/** Holds the facilitator's word against the chain. */
async function judge(
  proof: SettlementProof,
  record: PaymentRecord,
  outcome: SettleOutcome,
  patience: ProofPatience,
): Promise<Settlement> {
  if (outcome.kind === 'settled') return confirm(proof, record, outcome.transaction, patience);
  const asked = outcome.kind === 'unsent' ? undefined : outcome.transaction;
  const seen = conclude(record, await proof.prove(record, asked));
  // The chain's word stands over the facilitator's: somebody else may have submitted the authorization.
  if (seen.kind === 'settled') return seen;
  if (outcome.kind === 'unsent') return outcome;
  if (seen.kind === 'refused') return seen;
  if (outcome.kind === 'refused') return { ...outcome, final: false };
  return { kind: 'unknown', reason: outcome.reason, transaction: outcome.transaction };
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

/** No block can use the authorization any more. */
function isOver({ authorization }: PaymentRecord, chainTime: number): boolean {
  return chainTime >= Number(authorization.validBefore) + EXPIRY_MARGIN_SECONDS;
}

function conclude(record: PaymentRecord, seen: ProofResult): Settlement {
  switch (seen.kind) {
    case 'settled':
      return { kind: 'settled', transaction: seen.transaction, proof: 'rpc' };
    case 'cancelled':
      return {
        kind: 'refused',
        reason: 'authorization_cancelled',
        transaction: seen.transaction,
        final: true,
      };
    case 'unpaid':
      return isOver(record, seen.chainTime)
        ? { kind: 'refused', reason: 'transfer_missing', transaction: seen.transaction, final: true }
        : { kind: 'unknown', reason: 'no_matching_transfer', transaction: seen.transaction };
    case 'unused':
      return isOver(record, seen.chainTime)
        ? { kind: 'refused', reason: 'authorization_unused', transaction: undefined, final: true }
        : { kind: 'unknown', reason: 'not_yet_used', transaction: undefined };
    case 'unknown':
      return { kind: 'unknown', reason: seen.reason, transaction: undefined };
  }
}

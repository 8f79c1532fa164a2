import type { Clock } from '../domain/clock.ts';
import { wait } from '../runtime/timer.ts';
import type { Facilitator, SettlementRequest, SettleOutcome } from './facilitator.ts';
import type { FacilitatorList } from './facilitator-list.ts';
import type { Ledger } from './ledger.ts';
import type { Authorization } from './payment.ts';
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

export interface SettleRetryPolicy {
  /** A node may see a block later than the facilitator's own: so often, and so long apart, it is asked again. */
  readonly tries: number;
  readonly pauseMs: number;
  /** A facilitator that failed is asked again after each of these, while the buyer waits. */
  readonly askAgainMs: readonly number[];
}

const DEFAULT_PATIENCE: SettleRetryPolicy = {
  tries: 10,
  pauseMs: 500,
  askAgainMs: [500, 1_000, 2_000, 4_000],
};
/** Once a settlement has taken so long, asking again is left to the reconciler: the lease must outlast it. */
const ASK_AGAIN_WITHIN_MS = 15_000;
/** Facilitators refuse an authorization that ends sooner. */
const ASK_AGAIN_SECONDS_LEFT = 6;
/** Settle (20 s), once more after {@link ASK_AGAIN_WITHIN_MS} or while pending, and the proof. */
export const SETTLE_LEASE_MS = 60_000;
/** Blocks are made until this long after validBefore with an earlier time. */
export const EXPIRY_MARGIN_SECONDS = 12;

/** What the chain says of an authorization that may still be used. */
export const NOT_YET_USED = 'not_yet_used';

export interface SettlerOptions {
  readonly facilitators: FacilitatorList;
  readonly ledger: Ledger;
  /** Undefined: the facilitator's word is taken. */
  readonly proof: SettlementProof | undefined;
  readonly patience?: SettleRetryPolicy;
  readonly clock: Clock;
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
  clock,
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
        if (outcome.kind === 'unknown') {
          if (outcome.pending) outcome = await settleAgain(facilitator, request, outcome);
          else if (outcome.failed) outcome = await askAgain(facilitator, request, outcome, patience, clock);
        }
        if (outcome.kind !== 'unsent') break;
      }
      if (proof === undefined) return { record, settlement: believed(outcome) };
      return { record, settlement: await judge(proof, record, outcome, patience) };
    },
    async examine(record, request) {
      const { reason = 'unproven', transaction } = record;
      const facilitator = facilitators.named(record.facilitator);
      if (proof !== undefined) {
        const seen = conclude(record, await proof.prove(record, transaction));
        const isOpen = seen.kind === 'unknown' && seen.reason === NOT_YET_USED && mayAskAgain(record, clock);
        if (!isOpen || request === undefined || facilitator === undefined) return seen;
        const outcome = await facilitator.settle(request);
        return outcome.kind === 'settled' ? confirm(proof, record, outcome.transaction, patience) : seen;
      }
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

/**
 * A facilitator that failed (a 5xx, a broken connection, no answer in time) gets the identical payload again, with
 * growing pauses, while the authorization lives. The nonce lets it be used once, whatever came of the attempts before;
 * for the same reason only success decides: what is refused now may have been paid then.
 */
async function askAgain(
  facilitator: Facilitator,
  request: SettlementRequest,
  first: SettleOutcome,
  { askAgainMs }: SettleRetryPolicy,
  clock: Clock,
): Promise<SettleOutcome> {
  const until = performance.now() + ASK_AGAIN_WITHIN_MS;
  for (const pauseMs of askAgainMs) {
    if (performance.now() + pauseMs >= until) break;
    await wait(pauseMs);
    if (!isAlive(request.authorization, clock)) break;
    const again = await facilitator.settle(request);
    if (again.kind === 'settled') return again;
    // It found something out: asking on would not change it.
    if (again.kind === 'refused' || (again.kind === 'unknown' && !again.failed)) break;
  }
  return first;
}

/** Whether this payment may still be settled, as far as its record tells. */
function mayAskAgain({ transaction, authorization }: PaymentRecord, clock: Clock): boolean {
  return transaction === undefined && isAlive(authorization, clock);
}

function isAlive({ validBefore }: Authorization, clock: Clock): boolean {
  return Number(validBefore) * 1000 - clock.now() >= ASK_AGAIN_SECONDS_LEFT * 1000;
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
  patience: SettleRetryPolicy,
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
  { tries, pauseMs }: SettleRetryPolicy,
): Promise<Settlement> {
  // A node that hangs must not keep the buyer longer than one that answers.
  const until = performance.now() + tries * pauseMs;
  for (let i = 1; ; i++) {
    const seen = conclude(record, await proof.prove(record, transaction));
    if (seen.kind !== 'unknown') return seen;
    if (i >= tries || performance.now() >= until)
      return { kind: 'unknown', reason: 'not_seen_on_chain', transaction };
    await wait(pauseMs);
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
        : { kind: 'unknown', reason: NOT_YET_USED, transaction: undefined };
    case 'unknown':
      return { kind: 'unknown', reason: seen.reason, transaction: undefined };
  }
}

import type { Clock } from '../../../domain/clock.ts';
import { wait } from '../../../runtime/timer.ts';
import { bazaarExtension } from '../../bazaar.ts';
import type { Facilitator, SettleOutcome } from '../../facilitator.ts';
import type { FacilitatorList } from '../../facilitator-list.ts';
import { isAbandoned, type PaymentRecord } from '../../record.ts';
import type { AskedPayment, SchemeSettlement, Settlement, Unsent } from '../../scheme.ts';
import type { Seller } from '../../seller.ts';
import { NOT_YET_USED } from '../../transition.ts';
import type { ProtectedRoute } from '../../types.ts';
import { isAlive, isOver } from '../authorization-window.ts';
import type { SignedAuthorization } from './authorization.ts';
import type { ProofResult, SettlementVerifier } from './proof.ts';
import { type ExactRequest, settlementRequest } from './request.ts';

export interface SettleRetryPolicy {
  /** A node may see a block later than the facilitator's own: so often, and so long apart, it is asked again. */
  readonly tries: number;
  readonly pauseMs: number;
  /** A facilitator that failed is asked again after each of these, while the buyer waits. */
  readonly askAgainMs: readonly number[];
}

const DEFAULT_SETTLE_RETRY: SettleRetryPolicy = {
  tries: 10,
  pauseMs: 500,
  askAgainMs: [500, 1_000, 2_000, 4_000],
};
/** So long after a settlement began, asking again is left to the reconciler: the lease must outlast it. */
const ASK_AGAIN_WITHIN_MS = 15_000;

export interface SettlementOptions {
  readonly seller: Seller;
  readonly routes: readonly ProtectedRoute[];
  /** Asked in this order. */
  readonly facilitators: FacilitatorList;
  /** Undefined: the facilitator's word is taken. */
  readonly proof: SettlementVerifier | undefined;
  readonly patience?: SettleRetryPolicy;
  readonly clock: Clock;
}

type ExactRecord = PaymentRecord<SignedAuthorization>;
type ExactSettlement = SchemeSettlement<SignedAuthorization>;
type Unknown = Extract<SettleOutcome, { kind: 'unknown' }>;

/** Has facilitators verify and settle payments, and finds out what has become of them. */
export function createSettlement(options: SettlementOptions): ExactSettlement {
  const { seller, routes, facilitators, proof, patience = DEFAULT_SETTLE_RETRY, clock } = options;
  // To make one takes some ten microseconds, and each payment needs it twice.
  const extensions = new Map(routes.map((route) => [route.id, bazaarExtension(route)]));
  const requestOf = (route: ProtectedRoute, payment: AskedPayment<SignedAuthorization>): ExactRequest =>
    settlementRequest(seller, route, payment, extensions.get(route.id));
  return {
    ...statesOf(facilitators),
    proof: proof === undefined ? 'facilitator' : 'rpc',
    get ok() {
      return facilitators.ok;
    },
    async verify(payment, route, doubtful) {
      const { outcome, by } = await facilitators.verify(requestOf(route, payment), { doubtful });
      if (outcome.kind !== 'valid') return outcome;
      return { kind: 'valid', by: by.name, others: facilitators.besides(by).map(({ name }) => name) };
    },
    async ask(record, route) {
      const facilitator = facilitators.named(record.facilitator);
      if (facilitator === undefined) return { kind: 'unsent', reason: 'no_facilitator' };
      const request = requestOf(route, record);
      const until = performance.now() + ASK_AGAIN_WITHIN_MS;
      const outcome = await facilitator.settle(request);
      if (outcome.kind !== 'unknown') return outcome;
      // The answer may have taken so long that the payment is another process's by now.
      const isOurs = (): boolean =>
        isAlive(request.payload.authorization, clock.now()) && !isAbandoned(record, clock.now());
      if (outcome.pending) return isOurs() ? settleAgain(facilitator, request, outcome) : outcome;
      if (!outcome.failed) return outcome;
      const mayAsk = (pauseMs: number): boolean => performance.now() + pauseMs < until && isOurs();
      return askAgain(facilitator, request, outcome, patience, mayAsk);
    },
    judge: async (record, outcome) =>
      proof === undefined ? believed(outcome) : judge(proof, record, outcome, patience),
    examine: (record, route) => examine(options, record, route && requestOf(route, record)),
  };
}

/** Looks again at a payment whose outcome is unknown; without a request only at the chain. */
async function examine(
  { facilitators, proof, patience = DEFAULT_SETTLE_RETRY, clock }: SettlementOptions,
  record: ExactRecord,
  request: ExactRequest | undefined,
): Promise<Settlement> {
  const { reason = 'unproven', transaction } = record;
  const seen: Settlement =
    proof === undefined
      ? { kind: 'unclear', reason, transaction }
      : conclude(record, await proof.prove(record, transaction));
  const facilitator = facilitators.named(record.facilitator);
  if (request === undefined || facilitator === undefined) return seen;
  const isOpen = seen.kind === 'unclear' && seen.reason === NOT_YET_USED && mayAskAgain(record, clock);
  if (proof !== undefined && !isOpen) return seen;
  const outcome = await facilitator.settle(request);
  // Only success decides: an earlier attempt may be the very reason why this one is refused.
  if (outcome.kind !== 'settled') return naming(seen, outcome);
  return proof === undefined
    ? { ...outcome, proof: 'facilitator' }
    : confirm(proof, record, outcome.transaction, patience);
}

const statesOf = (
  facilitators: FacilitatorList,
): Pick<ExactSettlement, 'states' | 'costs' | 'gas' | 'probe' | 'stop'> => ({
  states: () => facilitators.states(),
  costs: () => facilitators.costs(),
  gas: () => facilitators.gas,
  probe: () => facilitators.probe(),
  stop: () => facilitators.stop(),
});

/**
 * `settlement_pending` asks for one repetition with the identical payload; it joins the first transaction. One that
 * speaks of another says nothing of the first, which may still be mined.
 */
async function settleAgain(
  facilitator: Facilitator,
  request: ExactRequest,
  first: Unknown,
): Promise<SettleOutcome> {
  const second = await facilitator.settle(request);
  if (second.kind === 'settled') return second;
  if (second.kind === 'unsent') return first;
  const { transaction } = second;
  const isOfFirst = transaction !== undefined && transaction === first.transaction;
  if (second.kind === 'refused' && isOfFirst) return second;
  return { ...first, transaction: first.transaction ?? transaction };
}

/**
 * A facilitator that failed (a 5xx, a broken connection, no answer in time) gets the identical payload again,
 * with growing pauses, while the authorization lives and the payment is ours. The nonce lets it be used once,
 * whatever came of the attempts before; for the same reason only success decides: what is refused now may have
 * been paid then.
 */
async function askAgain(
  facilitator: Facilitator,
  request: ExactRequest,
  first: SettleOutcome,
  { askAgainMs }: SettleRetryPolicy,
  mayAsk: (pauseMs: number) => boolean,
): Promise<SettleOutcome> {
  for (const pauseMs of askAgainMs) {
    if (!mayAsk(pauseMs)) break;
    await wait(pauseMs);
    if (!mayAsk(0)) break;
    const again = await facilitator.settle(request);
    if (again.kind === 'settled') return again;
    // It found something out: asking on would not change it.
    if (again.kind === 'refused' || (again.kind === 'unknown' && !again.failed)) break;
  }
  return first;
}

/**
 * An unknown outcome, with the transaction that a facilitator has named since: it is not asked for another one.
 */
function naming(seen: Settlement, outcome: SettleOutcome): Settlement {
  const isNamed = seen.kind === 'unclear' && outcome.kind === 'unknown' && outcome.transaction !== undefined;
  return isNamed ? { ...seen, transaction: outcome.transaction } : seen;
}

/** True if this payment may still be settled, as far as its record tells. */
function mayAskAgain({ transaction, signed }: ExactRecord, clock: Clock): boolean {
  return transaction === undefined && isAlive(signed.authorization, clock.now());
}

/** The facilitator's word, where the chain cannot be asked. */
function believed(outcome: SettleOutcome): Settlement | Unsent {
  switch (outcome.kind) {
    case 'settled':
      return { ...outcome, proof: 'facilitator' };
    case 'refused':
      return { ...outcome, kind: 'ruled_out' };
    case 'unknown':
      return unclear(outcome.reason, outcome.transaction);
    default:
      return outcome;
  }
}

/** The chain's word stands over the facilitator's: somebody else may have submitted the authorization. */
async function judge(
  proof: SettlementVerifier,
  record: ExactRecord,
  outcome: SettleOutcome,
  patience: SettleRetryPolicy,
): Promise<Settlement | Unsent> {
  if (outcome.kind === 'settled') return confirm(proof, record, outcome.transaction, patience);
  const asked = outcome.kind === 'unsent' ? undefined : outcome.transaction;
  const seen = conclude(record, await proof.prove(record, asked));
  if (seen.kind === 'settled') return seen;
  if (outcome.kind === 'unsent') return outcome;
  if (seen.kind === 'ruled_out') return seen;
  return outcome.kind === 'refused' ? outcome : unclear(outcome.reason, outcome.transaction);
}

async function confirm(
  proof: SettlementVerifier,
  record: ExactRecord,
  transaction: string,
  { tries, pauseMs }: SettleRetryPolicy,
): Promise<Settlement> {
  // A node that hangs must not keep the buyer longer than one that answers.
  const until = performance.now() + tries * pauseMs;
  for (let i = 1; ; i++) {
    const seen = conclude(record, await proof.prove(record, transaction));
    if (seen.kind !== 'unclear') return seen;
    if (i >= tries || performance.now() >= until) return unclear('not_seen_on_chain', transaction);
    await wait(pauseMs);
  }
}

const unclear = (reason: string, transaction: string | undefined): Settlement => ({
  kind: 'unclear',
  reason,
  transaction,
});

/** Concludes from the chain, where no block can use an authorization that has expired. */
function conclude({ signed: { authorization } }: ExactRecord, seen: ProofResult): Settlement {
  switch (seen.kind) {
    case 'settled':
      return { kind: 'settled', transaction: seen.transaction, proof: 'rpc' };
    case 'cancelled':
      return { kind: 'ruled_out', reason: 'authorization_cancelled', transaction: seen.transaction };
    case 'unpaid':
      return isOver(authorization, seen.chainTime)
        ? { kind: 'ruled_out', reason: 'transfer_missing', transaction: seen.transaction }
        : unclear('no_matching_transfer', seen.transaction);
    case 'unused':
      return isOver(authorization, seen.chainTime)
        ? { kind: 'ruled_out', reason: 'authorization_unused', transaction: undefined }
        : unclear(NOT_YET_USED, undefined);
    case 'unknown':
      return unclear(seen.reason, undefined);
  }
}

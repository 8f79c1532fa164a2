import { asMs, type UnixMs } from '../domain/units.ts';
import { MINUTE_MS } from '../runtime/duration.ts';
import {
  LIFECYCLE,
  type LifecycleEvent,
  stageOf,
  stateOf,
  type TransitionRule,
  transitionRule,
} from './lifecycle.ts';
import { draftOf, type PaymentRecord } from './record.ts';

/** No payment is in flight for longer: the reconciler looks at it by then, whatever its lease says. */
export const IN_FLIGHT_MS = 120_000;
/** The chain's reason for a payment that may still be settled. */
export const NOT_YET_USED = 'not_yet_used';

/** Verify (5 s) and produce (10 s), with room for a slow disk. */
const CLAIM_LEASE_MS = 30_000;
/** Settle (20 s), once more within 15 s or while pending, and the proof. */
const SETTLE_LEASE_MS = MINUTE_MS;
const EXAMINE_LEASE_MS = 30_000;
/** An answer that was handed out is awaited for so long before it can be fetched again. */
const DELIVERY_LEASE_MS = MINUTE_MS;
/** A settled answer can be had for this long. */
const ANSWER_TTL_MS = 10 * MINUTE_MS;
/** A buyer who comes back sooner gets what is known. */
const EXAMINE_AGAIN_MS = 1_000;
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = MINUTE_MS;

type Change = Partial<PaymentRecord>;

const lease = ({ now, owner }: WriteContext, ms: number): Change => ({ owner, leaseUntil: asMs(now + ms) });
const CLOSED: Change = { leaseUntil: undefined, dueAt: undefined };

/** The writing process, and the time. */
export interface WriteContext {
  readonly now: UnixMs;
  readonly owner: string;
}

/** The transition of a payment by an event. */
export interface Transition extends TransitionRule {
  readonly change: Partial<PaymentRecord>;
}

/** The payment's next stage with all that changes in its record; undefined where the event cannot happen to it. */
export function transition(
  record: PaymentRecord,
  event: LifecycleEvent,
  at: WriteContext,
): Transition | undefined {
  const cell = transitionRule(stageOf(record), event.kind);
  if (cell === undefined) return undefined;
  const state = stateOf(cell.to);
  return { ...cell, change: { ...changeOf(record, event, at), ...(state !== undefined && { state }) } };
}

/** The fields that an event changes beside the state. */
function changeOf(record: PaymentRecord, event: LifecycleEvent, at: WriteContext): Change {
  const { now } = at;
  switch (event.kind) {
    case 'prepared':
      return { settlingAt: now, facilitator: event.facilitator, ...lease(at, SETTLE_LEASE_MS) };
    case 'sold':
      return { settlingAt: now, facilitator: event.facilitator, ...settled(record, event, at) };
    case 'passed_on':
      return { facilitator: event.facilitator, ...lease(at, SETTLE_LEASE_MS) };
    case 'settled':
      return settled(record, event, at);
    case 'refused':
    case 'ruled_out':
      return refused(record, event, now);
    case 'unclear':
      return unclear(record, event, now);
    case 'taken_up':
      return {
        ...(record.state === 'settling' && { reason: 'worker_lost' }),
        ...lease(at, EXAMINE_LEASE_MS),
      };
    case 'given_up':
      if (record.state === 'refused') return CLOSED;
      return { ...CLOSED, attempts: record.attempts + 1, reason: 'unproven', closedAt: now };
    case 'handed_out':
      return lease(at, DELIVERY_LEASE_MS);
    case 'arrived':
      return arrival(record, now);
    case 'kept':
      return { deliveredAt: record.deliveredAt ?? now };
    case 'arrived_with_id':
      return { deliveredAt: now, leaseUntil: undefined, dueAt: record.answerUntil };
    case 'lost':
      return { leaseUntil: undefined };
    case 'wrong_id':
      return { idMisses: record.idMisses + 1 };
    case 'put_off':
      return { dueAt: record.answerUntil };
    case 'answer_expired':
      return { dueAt: undefined, answerUntil: undefined };
    case 'abandoned':
      return {};
  }
}

/**
 * Its answer can be fetched for ten minutes from now. When it is due stays as it was: most answers are delivered by then,
 * and the reconciler puts off the others.
 */
function settled(
  { state }: PaymentRecord,
  { transaction, proof }: Extract<LifecycleEvent, { kind: 'settled' | 'sold' }>,
  at: WriteContext,
): Change {
  return {
    settledAt: at.now,
    closedAt: undefined,
    transaction,
    proof,
    reason: undefined,
    leaseUntil: undefined,
    answerUntil: asMs(at.now + ANSWER_TTL_MS),
    ...((state === 'settling' || state === 'claimed') && lease(at, DELIVERY_LEASE_MS)),
  };
}

/** One that was refused before is what it was, and no longer watched. */
function refused(
  record: PaymentRecord,
  { kind, reason, transaction }: Extract<LifecycleEvent, { kind: 'refused' | 'ruled_out' }>,
  now: UnixMs,
): Change {
  if (record.state === 'refused') return CLOSED;
  const until = { leaseUntil: asMs(now + EXAMINE_AGAIN_MS), dueAt: record.overAt };
  return { closedAt: now, reason, transaction, ...(kind === 'ruled_out' ? CLOSED : until) };
}

/** Looked at soon, and by the buyer's next request; after each look that found no outcome later. */
function unclear(
  record: PaymentRecord,
  { reason, transaction = record.transaction }: Extract<LifecycleEvent, { kind: 'unclear' }>,
  now: UnixMs,
): Change {
  if (record.state === 'settling')
    return { reason, transaction, leaseUntil: now, dueAt: asMs(now + FIRST_PAUSE_MS) };
  const kept = record.state === 'refused' || reason === NOT_YET_USED;
  return { reason: kept ? record.reason : reason, transaction, ...nextLook(record, now) };
}

/** The pause doubles up to a minute, but the time from which the outcome is certain is not missed. */
function nextLook(record: PaymentRecord, now: UnixMs): Change {
  const attempts = record.attempts + 1;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts, 10), MAX_PAUSE_MS);
  const again = asMs(now + EXAMINE_AGAIN_MS);
  const over = record.overAt;
  const dueAt = over > again && over < now + pause ? over : asMs(now + pause);
  return { attempts, leaseUntil: again, dueAt };
}

/** An answer that was kept for its payer arrived before it is let go. */
function arrival({ deliveredAt }: PaymentRecord, now: UnixMs): Change {
  const without = { answerId: undefined, storedBytes: 0, answerUntil: undefined };
  return { state: LIFECYCLE.settled.arrived.to, deliveredAt: deliveredAt ?? now, ...CLOSED, ...without };
}

/** A settled payment of which the ledger has noted that its answer arrived. The version stays. */
export function arrivedRecord(record: PaymentRecord, at: UnixMs): PaymentRecord {
  return Object.assign(draftOf(record), arrival(record, at));
}

/** The facts that a claim states; the rest of the record follows from the lifecycle. */
export type Claim = Pick<
  PaymentRecord,
  | 'key'
  | 'routeId'
  | 'resource'
  | 'resourceHash'
  | 'network'
  | 'asset'
  | 'payTo'
  | 'payer'
  | 'nonce'
  | 'amount'
  | 'usd'
  | 'scheme'
  | 'signed'
  | 'overAt'
  | 'paymentIdHash'
>;

/** A payment whose nonce was locked just now. */
export function claimedRecord(claim: Claim, at: WriteContext): PaymentRecord {
  return {
    key: claim.key,
    version: 1,
    state: LIFECYCLE.none.claim.to,
    routeId: claim.routeId,
    resource: claim.resource,
    resourceHash: claim.resourceHash,
    network: claim.network,
    asset: claim.asset,
    payTo: claim.payTo,
    payer: claim.payer,
    nonce: claim.nonce,
    amount: claim.amount,
    usd: claim.usd,
    scheme: claim.scheme,
    signed: claim.signed,
    overAt: claim.overAt,
    paymentIdHash: claim.paymentIdHash,
    idMisses: 0,
    claimedAt: at.now,
    settlingAt: undefined,
    settledAt: undefined,
    deliveredAt: undefined,
    closedAt: undefined,
    facilitator: undefined,
    transaction: undefined,
    proof: undefined,
    reason: undefined,
    owner: at.owner,
    leaseUntil: asMs(at.now + CLAIM_LEASE_MS),
    dueAt: asMs(at.now + IN_FLIGHT_MS),
    attempts: 0,
    answerId: undefined,
    storedBytes: 0,
    answerUntil: undefined,
  };
}

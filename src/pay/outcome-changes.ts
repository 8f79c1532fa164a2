import { asMs, type UnixMs } from '../domain/units.ts';
import { ANSWER_TTL_MS, type RecordChange } from './ledger.ts';
import type { PaymentRecord } from './record.ts';
import { EXPIRY_MARGIN_SECONDS, type Settlement, type Settler } from './settler.ts';

/** A buyer who comes back sooner gets what is known. */
const EXAMINE_AGAIN_MS = 1_000;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/** A change of a record, and whether its answer is dropped with it. */
export interface OutcomeChange {
  readonly change: RecordChange;
  readonly drop: boolean;
}

/**
 * A payment that is settled: its answer can be fetched for ten minutes from now. When it is due stays as it was: most
 * answers are delivered by then, and the reconciler puts off the others.
 */
export function settledChange(
  settlement: Extract<Settlement, { kind: 'settled' }>,
  now: UnixMs,
): RecordChange {
  return {
    state: 'settled',
    settledAt: now,
    closedAt: undefined,
    transaction: settlement.transaction,
    proof: settlement.proof,
    reason: undefined,
    leaseUntil: undefined,
    answerUntil: asMs(now + ANSWER_TTL_MS),
  };
}

/**
 * A payment that its facilitator refused, or the chain. Where only the facilitator has said so and the chain can be
 * asked, the answer is kept until the authorization has expired: whoever has seen it may still submit it, and then it
 * was paid.
 */
export function refusedChange(
  record: PaymentRecord,
  settlement: Extract<Settlement, { kind: 'refused' }>,
  proof: Settler['proof'],
  now: UnixMs,
): OutcomeChange {
  const watched = proof === 'rpc' && !settlement.final;
  return {
    change: {
      state: 'refused',
      closedAt: now,
      reason: settlement.reason,
      transaction: settlement.transaction,
      leaseUntil: watched ? asMs(now + EXAMINE_AGAIN_MS) : undefined,
      dueAt: watched ? expiryOf(record) : undefined,
    },
    drop: !watched,
  };
}

/** A settling without a known end: looked at soon, and by the buyer's next request. */
export function unknownChange(
  record: PaymentRecord,
  settlement: Extract<Settlement, { kind: 'unknown' }>,
  now: UnixMs,
): RecordChange {
  return {
    state: 'unknown',
    reason: settlement.reason,
    transaction: settlement.transaction ?? record.transaction,
    leaseUntil: now,
    dueAt: asMs(now + FIRST_PAUSE_MS),
  };
}

/** A look that found no outcome: the next one comes later and later, but when the authorization is over at the latest. */
export function laterChange(record: PaymentRecord, reason: string | undefined, now: UnixMs): RecordChange {
  const attempts = record.attempts + 1;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts, 10), LONGEST_PAUSE_MS);
  const again = asMs(now + EXAMINE_AGAIN_MS);
  const over = expiryOf(record);
  const dueAt = over > again && over < now + pause ? over : asMs(now + pause);
  return { attempts, reason, leaseUntil: again, dueAt };
}

/** When the chain can say for certain that the authorization was not used in time. */
export function expiryOf({ authorization }: PaymentRecord): UnixMs {
  return asMs((Number(authorization.validBefore) + EXPIRY_MARGIN_SECONDS + 1) * 1000);
}

import type { Clock } from '../domain/clock.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import { ANSWER_TTL_MS, type Ledger, type RecordChange } from './ledger.ts';
import { isOwnerGone, isUnattended } from './owner.ts';
import { isInFlight, type PaymentRecord } from './record.ts';
import type { Seller } from './seller.ts';
import { type Settlement, type Settler, settlementRequest } from './settler.ts';
import type { ProtectedRoute } from './types.ts';

const EXAMINE_LEASE_MS = 30_000;
/** A buyer who comes back sooner gets what is known. */
const EXAMINE_AGAIN_MS = 1_000;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** Without a view of the chain nothing more can be learned this long after the authorization has expired. */
const GIVE_UP_MS = 10 * 60_000;
const BATCH = 200;
/** A hanging facilitator or node must not hold up the others for long. */
const AT_ONCE = 10;
/** No lease is longer: everything in flight is due by then. */
const LONGEST_LEASE_MS = 10 * 60_000;

export interface ReconcilerOptions {
  readonly ledger: Ledger;
  readonly settler: Settler;
  readonly seller: Seller;
  readonly routes: readonly ProtectedRoute[];
  readonly clock: Clock;
  /** Told of every payment that changed its state here. */
  readonly onClosed?: (record: PaymentRecord) => void;
}

/** Closes what was left open: unknown settlements, payments whose process died, answers that nobody fetched. */
export interface Reconciler {
  /** Handles everything that is due; the number of payments looked at. Rejects after all when some failed. */
  run(): Promise<number>;
  /** Handles what a process left behind that certainly no longer runs, without waiting for its lease to end. */
  recover(): Promise<number>;
  /** Looks at one payment now, if nobody else does; its record afterwards, undefined when it was released. */
  look(record: PaymentRecord): Promise<PaymentRecord | undefined>;
}

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { ledger, clock } = options;
  const look = async (record: PaymentRecord): Promise<PaymentRecord | undefined> => {
    if (!isUnattended(record, clock.now())) return record;
    await step(options, record);
    return ledger.get(record.key);
  };
  const lookAt = async (records: readonly PaymentRecord[]): Promise<number> => {
    const failures: unknown[] = [];
    for (let i = 0; i < records.length; i += AT_ONCE) {
      const results = await Promise.allSettled(records.slice(i, i + AT_ONCE).map(look));
      for (const result of results) if (result.status === 'rejected') failures.push(result.reason);
    }
    if (failures.length > 0) throw new AggregateError(failures, 'payments could not be reconciled');
    return records.length;
  };
  return {
    look,
    run: () => lookAt(ledger.due(clock.now(), BATCH)),
    recover: () => {
      const inFlight = ledger
        .due(asMs(clock.now() + LONGEST_LEASE_MS), Number.MAX_SAFE_INTEGER)
        .filter(isInFlight);
      return lookAt(inFlight.filter(({ owner }) => owner !== undefined && isOwnerGone(owner)));
    },
  };
}

async function step(options: ReconcilerOptions, record: PaymentRecord): Promise<void> {
  const { ledger, clock } = options;
  switch (record.state) {
    case 'claimed':
    case 'verified':
    case 'held':
      // Nobody was asked to move money: the buyer may use the authorization again.
      await ledger.release(record);
      return;
    case 'settling':
    case 'unknown':
      if (record.closedAt === undefined) await examine(options, record);
      return;
    case 'settled':
    case 'delivered':
      if (record.answerUntil === undefined || record.answerUntil <= clock.now()) {
        await ledger.change(record, { dueAt: undefined }, { answer: 'drop' });
      }
      return;
    case 'refused':
      return;
  }
}

async function examine(options: ReconcilerOptions, record: PaymentRecord): Promise<void> {
  const { ledger, settler, seller, routes, clock } = options;
  const reason = record.state === 'settling' ? 'worker_lost' : record.reason;
  const taken = await ledger.work(record, { state: 'unknown', reason }, EXAMINE_LEASE_MS);
  if (taken === undefined) return;
  const route = routes.find(({ id }) => id === taken.routeId);
  const request = route === undefined ? undefined : settlementRequest(seller, route, taken);
  const settlement = await settler.examine(taken, request);
  const { change, drop } = changeAfter(taken, settlement, settler.proof, clock.now());
  const closed = await ledger.change(taken, change, { flush: true, ...(drop ? { answer: 'drop' } : {}) });
  if (closed !== undefined && closed.state !== 'unknown') options.onClosed?.(closed);
}

/** What the ledger says after a look at an unknown payment. */
function changeAfter(
  record: PaymentRecord,
  settlement: Settlement,
  proof: Settler['proof'],
  now: UnixMs,
): { readonly change: RecordChange; readonly drop: boolean } {
  if (settlement.kind === 'settled') return { change: settledChange(settlement, now), drop: false };
  if (settlement.kind === 'refused') return { change: refusedChange(settlement, now), drop: true };
  const attempts = record.attempts + 1;
  const expiredAt = Number(record.authorization.validBefore) * 1000;
  if (proof === 'facilitator' && now > expiredAt + GIVE_UP_MS) {
    const change: RecordChange = {
      reason: 'unproven',
      closedAt: now,
      leaseUntil: undefined,
      dueAt: undefined,
      attempts,
    };
    return { change, drop: true };
  }
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts, 10), LONGEST_PAUSE_MS);
  const change: RecordChange = {
    attempts,
    reason: settlement.reason,
    leaseUntil: asMs(now + EXAMINE_AGAIN_MS),
    dueAt: asMs(now + pause),
  };
  return { change, drop: false };
}

/** A payment that is settled: its answer can be fetched for ten minutes from now. */
export function settledChange(
  settlement: Extract<Settlement, { kind: 'settled' }>,
  now: UnixMs,
): RecordChange {
  const until = asMs(now + ANSWER_TTL_MS);
  return {
    state: 'settled',
    settledAt: now,
    transaction: settlement.transaction,
    proof: settlement.proof,
    reason: undefined,
    leaseUntil: undefined,
    answerUntil: until,
    dueAt: until,
  };
}

/** A payment that will not be settled any more. */
export function refusedChange(
  settlement: Extract<Settlement, { kind: 'refused' }>,
  now: UnixMs,
): RecordChange {
  return {
    state: 'refused',
    closedAt: now,
    reason: settlement.reason,
    transaction: settlement.transaction,
    leaseUntil: undefined,
    dueAt: undefined,
  };
}

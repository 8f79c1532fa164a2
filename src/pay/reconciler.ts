import type { Clock } from '../domain/clock.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import { IN_FLIGHT_MS, type Ledger } from './ledger.ts';
import {
  expiryOf,
  laterChange,
  type OutcomeChange,
  refusedChange,
  settledChange,
} from './outcome-changes.ts';
import { isOwnerGone, isUnattended } from './owner.ts';
import { isInFlight, type PaymentRecord } from './record.ts';
import type { Seller } from './seller.ts';
import { settlementRequest } from './settlement-request.ts';
import { NOT_YET_USED, type Settlement, type Settler } from './settler.ts';
import type { ProtectedRoute } from './types.ts';

const EXAMINE_LEASE_MS = 30_000;
/** Nothing more can be learned this long after the authorization has expired: of a facilitator, of the chain. */
const GIVE_UP_MS = { facilitator: 10 * 60_000, rpc: 7 * 86_400_000 } as const;
const BATCH = 200;
/** A hanging facilitator or node must not hold up the others for long. */
const AT_ONCE = 10;

export interface ReconcilerOptions {
  readonly ledger: Ledger;
  readonly settler: Settler;
  readonly seller: Seller;
  readonly routes: readonly ProtectedRoute[];
  readonly clock: Clock;
  /** Told of every payment that changed its state here, and of those that were given up as unknown. */
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
      const soon = ledger.due(asMs(clock.now() + IN_FLIGHT_MS), Number.MAX_SAFE_INTEGER);
      const isLeft = (record: PaymentRecord): boolean =>
        isInFlight(record) && record.owner !== undefined && isOwnerGone(record.owner);
      return lookAt(soon.filter(isLeft));
    },
  };
}

async function step(options: ReconcilerOptions, record: PaymentRecord): Promise<void> {
  const { ledger, clock } = options;
  switch (record.state) {
    case 'claimed':
      // Nobody was asked to move money: the buyer may use the authorization again.
      await ledger.release(record);
      return;
    case 'settling':
    case 'unknown':
      if (record.closedAt === undefined) await examine(options, record);
      return;
    case 'refused':
      if (record.dueAt !== undefined) await watch(options, record);
      return;
    case 'settled':
    case 'delivered':
      await tidy(ledger, record, clock.now());
      return;
  }
}

/** Drops an answer that can no longer be had; until then there is nothing to look at. */
async function tidy(ledger: Ledger, record: PaymentRecord, now: UnixMs): Promise<void> {
  const { answerUntil } = record;
  if (answerUntil === undefined || answerUntil <= now) {
    await ledger.change(record, { dueAt: undefined, answerUntil: undefined }, { drop: true });
  } else if (record.dueAt !== answerUntil) await ledger.change(record, { dueAt: answerUntil });
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
  const closed = await ledger.change(taken, change, { flush: true, drop });
  if (closed === undefined) return;
  if (closed.state !== 'unknown' || closed.closedAt !== undefined) options.onClosed?.(closed);
}

/** What the ledger says after a look at an unknown payment. */
function changeAfter(
  record: PaymentRecord,
  settlement: Settlement,
  proof: Settler['proof'],
  now: UnixMs,
): OutcomeChange {
  if (settlement.kind === 'settled') return { change: settledChange(settlement, now), drop: false };
  if (settlement.kind === 'refused') return refusedChange(record, settlement, proof, now);
  const reason = settlement.reason === NOT_YET_USED ? record.reason : settlement.reason;
  const later = laterChange(record, reason, now);
  if (now <= expiryOf(record) + GIVE_UP_MS[proof]) return { change: later, drop: false };
  const given = { ...later, reason: 'unproven', closedAt: now, leaseUntil: undefined, dueAt: undefined };
  return { change: given, drop: true };
}

/** A refused payment until its authorization has expired: the chain may yet show that it was paid. */
async function watch(options: ReconcilerOptions, record: PaymentRecord): Promise<void> {
  const { ledger, settler, clock } = options;
  const taken = await ledger.work(record, {}, EXAMINE_LEASE_MS);
  if (taken === undefined) return;
  const settlement = await settler.examine(taken, undefined);
  const now = clock.now();
  if (settlement.kind === 'settled') {
    const paid = await ledger.change(taken, settledChange(settlement, now), { flush: true });
    if (paid !== undefined) options.onClosed?.(paid);
    return;
  }
  const over = settlement.kind === 'refused' || now > expiryOf(taken) + GIVE_UP_MS.rpc;
  const change = over ? { leaseUntil: undefined, dueAt: undefined } : laterChange(taken, taken.reason, now);
  await ledger.change(taken, change, { drop: over });
}

import { asMs, type UnixMs } from '../domain/units.ts';
import { isOwnerGone } from '../storage/process-owner.ts';
import { type LifecycleEvent, stageOf } from './lifecycle.ts';
import type { PaymentRunner } from './payment-runner.ts';
import type { PaywallParts } from './paywall-context.ts';
import { isUnattended, OPEN_STATES, PAID_STATES, type PaymentRecord } from './record.ts';
import { IN_FLIGHT_MS } from './transition.ts';

const BATCH = 200;
/** No process works on so many at once. */
const MAX_LEFT = 10_000;
/** A hanging facilitator or node must not hold up the others for long. */
const AT_ONCE = 10;

/** Closes what was left open: unknown settlements, payments whose process died, answers that nobody fetched. */
export interface Reconciler {
  /**
   * Lets go of all answers that are due, then looks at the open payments that have waited longest; how many were
   * looked at. Rejects after all when some failed. Ends early when the paywall closes.
   */
  run(): Promise<number>;
  /** Handles what a process left behind that certainly no longer runs, without waiting for its lease to end. */
  recover(): Promise<number>;
  /** Looks at one payment now, if nobody else does; its record afterwards, undefined when it was released. */
  look(record: PaymentRecord): Promise<PaymentRecord | undefined>;
}

export function createReconciler(
  { ledger, clock, closing }: Pick<PaywallParts, 'ledger' | 'clock' | 'closing'>,
  runner: PaymentRunner,
): Reconciler {
  const look = async (record: PaymentRecord): Promise<PaymentRecord | undefined> => {
    const now = clock.now();
    if (!isUnattended(record, now)) return record;
    const event = eventOf(record, now);
    if (event !== undefined) await runner.run(record, event);
    return ledger.get(record.key);
  };
  /** The records afterwards; what fails is added to `failures` and keeps none of the others. */
  const lookAt = async (records: readonly PaymentRecord[], failures: unknown[]) => {
    const after: (PaymentRecord | undefined)[] = [];
    for (let i = 0; i < records.length && !closing.aborted; i += AT_ONCE) {
      for (const result of await Promise.allSettled(records.slice(i, i + AT_ONCE).map(look))) {
        if (result.status === 'fulfilled') after.push(result.value);
        else failures.push(result.reason);
      }
    }
    return after;
  };
  /** Nobody is asked for this, so it is quick; where it fell behind, answers would fill the ledger. */
  const letGo = async (failures: unknown[]): Promise<number> => {
    const now = clock.now();
    const due = await ledger.due(now, BATCH, PAID_STATES);
    const after = await lookAt(due, failures);
    // One that is on its way to its buyer stays due, and so does one that failed: where all do, there is nothing
    // to do yet.
    const isMoved = after.some((record) => (record?.dueAt ?? Number.POSITIVE_INFINITY) > now);
    const hasMore = due.length === BATCH && isMoved && !closing.aborted;
    return after.length + (hasMore ? await letGo(failures) : 0);
  };
  return {
    look,
    run: () =>
      wholly(async (failures) => {
        const released = await letGo(failures);
        const open = await ledger.due(clock.now(), BATCH, OPEN_STATES);
        return released + (await lookAt(open, failures)).length;
      }),
    recover: async () => {
      const soon = await ledger.due(asMs(clock.now() + IN_FLIGHT_MS), MAX_LEFT, OPEN_STATES);
      // An unknown one may have been under examination: its next look is a pause away that nobody waits for any more.
      const isLeft = (record: PaymentRecord): boolean =>
        stageOf(record) !== 'watched' && record.owner !== undefined && isOwnerGone(record.owner);
      return wholly(async (failures) => (await lookAt(soon.filter(isLeft), failures)).length);
    },
  };
}

/** All of some work, and then a rejection where any of it failed. */
async function wholly(work: (failures: unknown[]) => Promise<number>): Promise<number> {
  const failures: unknown[] = [];
  const count = await work(failures);
  if (failures.length > 0) throw new AggregateError(failures, 'payments could not be reconciled');
  return count;
}

/** The next event of a payment that no process works on. */
function eventOf(record: PaymentRecord, now: UnixMs): LifecycleEvent | undefined {
  const { answerUntil, dueAt } = record;
  switch (stageOf(record)) {
    case 'claimed':
    case 'settling':
    case 'unknown':
    case 'watched':
      return { kind: 'taken_up' };
    case 'settled':
    case 'delivered':
      if (answerUntil === undefined || answerUntil <= now) return { kind: 'answer_expired' };
      return dueAt === answerUntil ? undefined : { kind: 'put_off' };
    default:
      return undefined;
  }
}

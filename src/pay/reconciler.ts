import { asMs, type UnixMs } from '../domain/units.ts';
import { isOwnerGone } from '../storage/process-owner.ts';
import { type LifecycleEvent, stageOf } from './lifecycle.ts';
import type { PaymentRunner } from './payment-runner.ts';
import type { PaywallParts } from './paywall-context.ts';
import { isInFlight, isUnattended, type PaymentRecord } from './record.ts';
import { IN_FLIGHT_MS } from './transition.ts';

const BATCH = 200;
/** A hanging facilitator or node must not hold up the others for long. */
const AT_ONCE = 10;

/** Closes what was left open: unknown settlements, payments whose process died, answers that nobody fetched. */
export interface Reconciler {
  /** Handles everything that is due; the number of payments looked at. Rejects after all when some failed. */
  run(): Promise<number>;
  /** Handles what a process left behind that certainly no longer runs, without waiting for its lease to end. */
  recover(): Promise<number>;
  /** Looks at one payment now, if nobody else does; its record afterwards, undefined when it was released. */
  look(record: PaymentRecord): Promise<PaymentRecord | undefined>;
}

export function createReconciler(
  { ledger, clock }: Pick<PaywallParts, 'ledger' | 'clock'>,
  runner: PaymentRunner,
): Reconciler {
  const look = async (record: PaymentRecord): Promise<PaymentRecord | undefined> => {
    const now = clock.now();
    if (!isUnattended(record, now)) return record;
    const event = eventOf(record, now);
    if (event !== undefined) await runner.run(record, event);
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
    run: async () => lookAt(await ledger.due(clock.now(), BATCH)),
    recover: async () => {
      const soon = await ledger.due(asMs(clock.now() + IN_FLIGHT_MS), Number.MAX_SAFE_INTEGER);
      // An unknown one may have been under examination: its next look is a pause away that nobody waits for any more.
      const isLeft = (record: PaymentRecord): boolean =>
        (isInFlight(record) || stageOf(record) === 'unknown') &&
        record.owner !== undefined &&
        isOwnerGone(record.owner);
      return lookAt(soon.filter(isLeft));
    },
  };
}

/** What a payment needs that nobody works on. */
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

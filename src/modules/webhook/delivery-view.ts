import { iso } from '../../domain/clock.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { Target } from './attempts.ts';
import { type DeliveryRecord, type GivenUp, isUnproven } from './delivery-record.ts';
import type { DeliveryState } from './firing.ts';

/** One watch's delivery as the operator reads it, beside its owner's view. The rest of the receiver's address is its secret. */
export interface DeliveryView {
  readonly host: string;
  readonly challenge: DeliveryRecord['challenge']['state'];
  readonly delivered: number;
  readonly failed: number;
  readonly lastSuccessAt: UnixMs | undefined;
  readonly lastFailure: GivenUp | undefined;
  /** Undefined where the next attempt is due, or none. */
  readonly nextTryAt: UnixMs | undefined;
  /** The latest of those given up. */
  readonly givenUp: readonly GivenUp[];
}

/** The operator's read of one record. */
export function viewOf({ receiver }: Target, record: DeliveryRecord): DeliveryView {
  const { challenge, delivered, failed, lastSuccess, lastFailure, retry, givenUp } = record;
  return {
    host: receiver.host,
    challenge: challenge.state,
    delivered,
    failed,
    lastSuccessAt: lastSuccess?.at,
    lastFailure,
    nextTryAt: challenge.state === 'failed' ? challenge.nextAt : retry?.nextAt,
    givenUp,
  };
}

/** A delivery in a document of the operator: as its owner reads it, with its attempts. */
export function shownDelivery(owners: object | undefined, view: DeliveryView | undefined): object | null {
  if (owners === undefined || view === undefined) return owners ?? null;
  const { host, challenge, delivered, failed, lastSuccessAt, lastFailure, nextTryAt, givenUp } = view;
  const timeOf = (at: UnixMs | undefined): string | null => (at === undefined ? null : iso(at));
  return {
    ...owners,
    host,
    challenge,
    delivered,
    failed,
    last_success_at: timeOf(lastSuccessAt),
    last_failure_at: timeOf(lastFailure?.at),
    next_try_at: timeOf(nextTryAt),
    given_up: givenUp.map(({ seq, at, reason }) => ({ sequence: seq, at: iso(at), reason })),
  };
}

/**
 * The owner's read of one record.
 *
 * @param unusable the reason for which its receiver is not posted to under the rules of now
 */
export function stateOf(
  record: DeliveryRecord | undefined,
  waiting: number,
  unusable: string | undefined,
): DeliveryState {
  const { delivered = 0, failed = 0, lastFailure } = record ?? {};
  const state = record === undefined || unusable !== undefined ? 'failed' : kindOf(record);
  const challenge = record?.challenge.state === 'failed' ? record.challenge.reason : undefined;
  return { state, waiting, delivered, failed, lastError: unusable ?? challenge ?? lastFailure?.reason };
}

function kindOf(record: DeliveryRecord): DeliveryState['state'] {
  const { retry, lastFailure, lastSuccess } = record;
  if (isUnproven(record)) return 'unproven';
  if (retry !== undefined) return 'retrying';
  return lastFailure !== undefined && lastFailure.seq > (lastSuccess?.seq ?? 0) ? 'failed' : 'ready';
}

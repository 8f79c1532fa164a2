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

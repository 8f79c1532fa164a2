import type { Target } from './attempts.ts';
import { type DeliveryRecord, isUnproven } from './delivery-record.ts';
import type { Standing } from './host-turns.ts';

/** A watch that this process delivers. */
export interface HeldDelivery {
  readonly target: Target;
  /** The tenure in which it was taken up. */
  readonly term: number;
  record: DeliveryRecord;
  /** The last firing that is known. */
  lastSeq: number;
  /** Its receiver took long to answer the last time. */
  isSlow: boolean;
  /** It waits for its turn, or has it. */
  isTaken: boolean;
  /** Ends the wait for the next attempt. */
  cancel: () => void;
}

export const isSame = (known: Target, next: Target): boolean =>
  known.receiver.url === next.receiver.url && known.format === next.format;
/** Firings that are not settled yet. */
export const waitingOf = ({ lastSeq, record }: HeldDelivery): number => Math.max(0, lastSeq - record.settled);
/** Hosts that were never asked have places that no other takes: those that hang do not keep them from their first challenge. */
export function standingOf({ record, isSlow }: HeldDelivery): Standing {
  if (record.challenge.state === 'due' && !isSlow) return 'untried';
  return isSlow || isUnproven(record) || record.retry !== undefined ? 'doubtful' : 'sound';
}

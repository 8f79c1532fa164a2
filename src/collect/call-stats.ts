import { FAILURE_KINDS, type FailureKind } from './transport-failure.ts';

/** Counters of one poll (or of direct requests), since start. */
export interface CallStats {
  /** Requests that went out. */
  requests: number;
  readonly failures: Record<FailureKind, number>;
  /** Body bytes on the wire. */
  bytes: number;
  lastDurationMs: number | undefined;
  weight: number;
  /** Time spent waiting for weight, ms. */
  queueWaitMs: number;
  lastQueueWaitMs: number | undefined;
}

export function emptyCallStats(): CallStats {
  const failures = Object.fromEntries(FAILURE_KINDS.map((kind) => [kind, 0]));
  return {
    requests: 0,
    failures: failures as Record<FailureKind, number>,
    bytes: 0,
    lastDurationMs: undefined,
    weight: 0,
    queueWaitMs: 0,
    lastQueueWaitMs: undefined,
  };
}

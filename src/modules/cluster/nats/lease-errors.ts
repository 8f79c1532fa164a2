import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { errors, RequestError } from '@nats-io/transport-node';

/** The account of this process may not do it. */
export function isForbidden(cause: unknown): boolean {
  if (cause instanceof errors.PermissionViolationError) return true;
  return cause instanceof Error && isForbidden(cause.cause);
}

/** The server answers, and says that nobody listens for the bucket. */
export const isLeaderless = (cause: unknown): boolean =>
  cause instanceof Error && cause.cause instanceof RequestError && cause.cause.isNoResponders();

const { StreamWrongLastSequence, StreamWrongLastSequenceUnknown } = JetStreamApiCodes;

/** Error code of NATS where fewer servers are up than a new bucket needs; its client has no name for it. */
const NO_PEERS = 10005;

/** The servers answer, and have no room for the bucket: another of them would say the same. */
export const isUnplaced = (cause: unknown): boolean =>
  cause instanceof JetStreamApiError && cause.code === NO_PEERS;

/** The bucket is there, and has another revision: somebody else has the lease. */
export const isRefusal = (cause: unknown): boolean =>
  cause instanceof JetStreamApiError &&
  (cause.code === StreamWrongLastSequence || cause.code === StreamWrongLastSequenceUnknown);

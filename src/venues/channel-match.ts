import type { CallRef } from './adapter.ts';

/** A full URL, a path, or a path without its first slash; bare names of REST methods count as paths too. */
const PATH = /^(?:https?:\/\/|\/|[\w-]+\/|get-)/i;

/**
 * Whether a call was named by a channel rather than by a path: a channel name or list, a socket address, a
 * subscription frame, or any remark on one. For venues whose public sockets speak one format.
 */
export function isChannel(ref: CallRef): boolean {
  return !PATH.test(ref.raw);
}

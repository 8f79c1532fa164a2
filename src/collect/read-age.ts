import { asMs, type UnixMs } from '../domain/units.ts';

/** Within these times an answer to a ping, and to a request, is prompt: what comes is of this moment. */
const PROMPT_PONG_MS = 5000;
const PROMPT_ANSWER_MS = 2000;
/** A connection that is read so far behind is not caught up with. */
const BEHIND_MS = 30_000;

/**
 * The greatest age of data that is read from a connection. Pongs stand in line behind data: in the peer, on the
 * way, and here, where a machine without CPU reads a piece a turn. Data behind a pong was sent after its ping,
 * so while a ping is overdue, data counts as old as the last ping that was answered. A peer that never answers
 * proves nothing.
 */
export class ReadAge {
  #askedAt: UnixMs | undefined;
  #provenAt: UnixMs | undefined;

  /** @returns whether a ping is to be sent now: not while one is under way */
  ask(now: UnixMs): boolean {
    if (this.#askedAt !== undefined) return false;
    this.#askedAt = now;
    return true;
  }

  /** A pong came. */
  answered(): void {
    this.#provenAt = this.#askedAt ?? this.#provenAt;
    this.#askedAt = undefined;
  }

  /** Data that is read now is not older than this. */
  timestampAt(now: UnixMs): UnixMs {
    const isLate = this.#askedAt !== undefined && now - this.#askedAt > PROMPT_PONG_MS;
    return isLate && this.#provenAt !== undefined ? this.#provenAt : now;
  }

  /** True if the connection is too far behind to be of use. */
  isBehind(now: UnixMs): boolean {
    return this.#provenAt !== undefined && this.#askedAt !== undefined && now - this.#askedAt > BEHIND_MS;
  }

  /** A new connection: nothing is known of it. */
  reset(): void {
    this.#askedAt = undefined;
    this.#provenAt = undefined;
  }
}

/** Timestamp of an answer: the time of its request where it took longer than two seconds. */
export function responseTimestamp(now: UnixMs, tookMs: number): UnixMs {
  return tookMs > PROMPT_ANSWER_MS ? asMs(now - tookMs) : now;
}

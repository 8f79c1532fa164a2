import { randomBytes } from 'node:crypto';
import type { HttpReply } from './types.ts';

const TIME_BYTES = 6;
const RANDOM_BYTES = 8;

/** The key of a stored answer: when it was made, and what tells it from all others. Sorted by time. */
export const ANSWER_KEY_BYTES = TIME_BYTES + RANDOM_BYTES;

/**
 * Assigns ids to answers, and counts the payments of this process that reference each. One answer is sold to many:
 * those of one transaction share a single stored copy. A copy gets no references later, so one that no record names
 * is orphaned.
 */
export class AnswerReferences {
  #batch = new Map<HttpReply, string>();
  readonly #refCounts = new Map<string, number>();

  /** True if the current batch has it already. */
  has(answer: HttpReply): boolean {
    return this.#batch.has(answer);
  }

  /** The id of an answer for one more payment of the current batch. */
  retain(answer: HttpReply, now: number): string {
    const known = this.#batch.get(answer);
    if (known !== undefined) {
      this.#refCounts.set(known, (this.#refCounts.get(known) ?? 0) + 1);
      return known;
    }
    const id = answerIdAt(now) + randomBytes(RANDOM_BYTES).toString('hex');
    this.#batch.set(answer, id);
    this.#refCounts.set(id, 1);
    return id;
  }

  /** Ends the batch: its answers with their ids. */
  takeBatch(): ReadonlyMap<HttpReply, string> {
    const batch = this.#batch;
    if (batch.size > 0) this.#batch = new Map();
    return batch;
  }

  /** Removes one reference; true where it was the last. False for the answers of other processes. */
  release(id: string): boolean {
    const count = this.#refCounts.get(id);
    if (count === undefined) return false;
    if (count > 1) this.#refCounts.set(id, count - 1);
    else this.#refCounts.delete(id);
    return count === 1;
  }

  /**
   * Forgets the counts of answers made before that time, Unix ms: this process does not hear of those whose
   * payments others end. An answer that is still held then is orphaned by its last payment, not released.
   */
  forget(before: number): void {
    const first = answerIdAt(before);
    for (const id of this.#refCounts.keys()) if (id < first) this.#refCounts.delete(id);
  }
}

/** The prefix of all ids made at that time, Unix ms; later ids are greater. */
export function answerIdAt(now: number): string {
  return Math.floor(now)
    .toString(16)
    .padStart(2 * TIME_BYTES, '0');
}

/** An answer as bytes: length of its head, the head as JSON, the body. */
export function answerBytes({ status, headers, body }: HttpReply): Buffer {
  const head = Buffer.from(JSON.stringify({ status, headers }));
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, body]);
}

/** An answer that `answerBytes` wrote. */
export function readAnswer(bytes: Buffer): HttpReply {
  const bodyAt = 4 + bytes.readUInt32BE();
  const head = JSON.parse(bytes.toString('utf8', 4, bodyAt)) as Omit<HttpReply, 'body'>;
  return { ...head, body: bytes.subarray(bodyAt) };
}

import { randomBytes } from 'node:crypto';
import type { HttpReply } from './types.ts';

const TIME_BYTES = 6;
const RANDOM_BYTES = 8;

/** The key of a stored answer: when it was made, and what tells it from all others. Sorted by time. */
export const ANSWER_KEY_BYTES = TIME_BYTES + RANDOM_BYTES;

/**
 * Names answers, and counts the payments of this process that hold each. One answer is sold to many: those that are
 * gathered into one transaction share a single stored copy of it. Nothing is added to a copy later, so that whatever no
 * record names was let go for good.
 */
export class AnswerShelf {
  #gathered = new Map<HttpReply, string>();
  readonly #holders = new Map<string, number>();

  /** Whether the transaction that is being gathered has it already. */
  has(answer: HttpReply): boolean {
    return this.#gathered.has(answer);
  }

  /** The name of an answer for one more payment of the transaction that is being gathered. */
  shelve(answer: HttpReply, now: number): string {
    const known = this.#gathered.get(answer);
    if (known !== undefined) {
      this.#holders.set(known, (this.#holders.get(known) ?? 0) + 1);
      return known;
    }
    const id = nameAt(now) + randomBytes(RANDOM_BYTES).toString('hex');
    this.#gathered.set(answer, id);
    this.#holders.set(id, 1);
    return id;
  }

  /** The answers of the transaction that begins now, and their names. */
  take(): ReadonlyMap<HttpReply, string> {
    const gathered = this.#gathered;
    if (gathered.size > 0) this.#gathered = new Map();
    return gathered;
  }

  /** One payment less; true where it was the last. False for the answers of other processes. */
  letGo(id: string): boolean {
    const holders = this.#holders.get(id);
    if (holders === undefined) return false;
    if (holders > 1) this.#holders.set(id, holders - 1);
    else this.#holders.delete(id);
    return holders === 1;
  }
}

/** How all names of that time begin; names made later are greater. Unix ms. */
export function nameAt(now: number): string {
  return Math.floor(now)
    .toString(16)
    .padStart(2 * TIME_BYTES, '0');
}

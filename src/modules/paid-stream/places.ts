import type { Failure } from '../../domain/errors.ts';
import type { Reader } from './reader.ts';

const MOST_READERS = 1000;
const MOST_OF_ADDRESS = 50;
/** Bytes that wait for all readers together. */
const MOST_WAITING = 128 * 2 ** 20;

/** The readers of all paid streams of a process, and what waits for those that do not take it. */
export class Places {
  readonly #readers = new Set<Reader>();
  /** Bytes that wait for a reader; the one that waits longest is the first. */
  readonly #waiting = new Map<Reader, number>();
  #waitingBytes = 0;

  /** Readers as they are now, those that came first before the others. */
  get all(): readonly Reader[] {
    return [...this.#readers];
  }

  has(reader: Reader): boolean {
    return this.#readers.has(reader);
  }

  get isFull(): boolean {
    return this.#readers.size >= MOST_READERS;
  }

  /** The first reader whose stream is not paid: it makes room for one whose stream is. */
  get unpaid(): Reader | undefined {
    return this.all.find(({ unpaidSince }) => unpaidSince !== undefined);
  }

  /** The reason for which a further reader of this address has no place. */
  refusal(address: string): Failure | undefined {
    if (this.isFull) {
      const detail = `All ${MOST_READERS} places of paid streams are taken.`;
      return { code: 'stream_full', detail, retryAfterSeconds: 30 };
    }
    if (this.all.filter((reader) => reader.address === address).length < MOST_OF_ADDRESS) return undefined;
    const detail = `${MOST_OF_ADDRESS} streams are open from this address.`;
    return { code: 'rate_limited', detail, retryAfterSeconds: 30 };
  }

  add(reader: Reader): void {
    this.#readers.add(reader);
  }

  remove(reader: Reader): void {
    this.#readers.delete(reader);
    this.taken(reader);
  }

  /** A reader has not taken what was written. Returns those that are to be cut off, so that what waits is bounded. */
  waits(reader: Reader): readonly Reader[] {
    const bytes = reader.sink.waiting;
    this.#waiting.set(reader, bytes);
    this.#waitingBytes += bytes;
    const slowest: Reader[] = [];
    let left = this.#waitingBytes;
    for (const [waiting, held] of this.#waiting) {
      if (left <= MOST_WAITING) break;
      left -= held;
      slowest.push(waiting);
    }
    return slowest;
  }

  /** A reader has taken the bytes that waited for it. */
  taken(reader: Reader): void {
    this.#waitingBytes -= this.#waiting.get(reader) ?? 0;
    this.#waiting.delete(reader);
  }
}

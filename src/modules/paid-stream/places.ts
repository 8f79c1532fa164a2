import { STUCK_MS } from '../../api/http/event-sink.ts';
import type { Failure } from '../../domain/errors.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import type { ClosingReason, Reader } from './reader.ts';

const MOST_READERS = 1000;
const MOST_OF_ADDRESS = 50;
/** A reader that could not be served for so long is sent away. */
const UNSERVED_MS = 10 * MINUTE_MS;
/** Bytes that wait for all readers together. */
const MOST_WAITING = 128 * 2 ** 20;

export interface PlacesOptions {
  /** Hears of a reader that is one of its stream no longer: it was sent away, cut off, or is gone. */
  readonly left: (reader: Reader) => void;
  /** Hears of a reader that was cut off. */
  readonly cut: (reader: Reader) => void;
}

/** The readers of all paid streams of a process, what waits for those that do not take it, and who has to go. */
export class Places {
  readonly #options: PlacesOptions;
  readonly #readers = new Set<Reader>();
  /**
   * Readers that get no further event, with the time since which: until its connection is closed each holds a place of its address,
   * and what waits for it counts.
   */
  readonly #closing = new Map<Reader, number>();
  /** Bytes that wait for a reader; the one that waits longest is the first. */
  readonly #waiting = new Map<Reader, number>();
  #waitingBytes = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /** Readers as they are now, those that came first before the others. */
  get all(): readonly Reader[] {
    return [...this.#readers];
  }

  has(reader: Reader): boolean {
    return this.#readers.has(reader);
  }

  /**
   * The reason for which a further reader has no place.
   *
   * @param isPaid true where its stream is paid: then one that is not served makes room for it
   */
  refusal(address: string, isPaid: boolean): Failure | undefined {
    if (this.#ofAddress(address) >= MOST_OF_ADDRESS) {
      const detail = `${MOST_OF_ADDRESS} streams are open from this address.`;
      return { code: 'rate_limited', detail, retryAfterSeconds: 30 };
    }
    if (!this.#isFull || (isPaid && this.#unserved !== undefined)) return undefined;
    const detail = `All ${MOST_READERS} places of paid streams are taken.`;
    return { code: 'stream_full', detail, retryAfterSeconds: 30 };
  }

  get #isFull(): boolean {
    return this.#readers.size >= MOST_READERS;
  }

  #ofAddress(address: string): number {
    return [...this.#readers, ...this.#closing.keys()].filter((reader) => reader.address === address).length;
  }

  /** The reader that has not been served for the longest time. */
  get #unserved(): Reader | undefined {
    let longest: Reader | undefined;
    for (const reader of this.#readers) {
      const { unservedSince } = reader;
      if (unservedSince === undefined) continue;
      if (longest?.unservedSince === undefined || unservedSince < longest.unservedSince) longest = reader;
    }
    return longest;
  }

  /** Sends away the reader that has not been served for the longest time, if all places are taken. */
  makeRoom(): void {
    const unserved = this.#isFull ? this.#unserved : undefined;
    if (unserved !== undefined) this.#sendAway(unserved);
  }

  add(reader: Reader): void {
    this.#readers.add(reader);
  }

  /** The connection of a reader is closed. */
  remove(reader: Reader): void {
    this.#readers.delete(reader);
    this.#closing.delete(reader);
    this.taken(reader);
    this.#options.left(reader);
  }

  /** Counts what waits for a reader that was sent something, and cuts off those that wait longest where it is too much. */
  told(reader: Reader): void {
    if (reader.waitsSince === undefined) return;
    const bytes = reader.sink.waiting;
    this.#waiting.set(reader, bytes);
    this.#waitingBytes += bytes;
    for (const slowest of [...this.#waiting.keys()]) {
      if (this.#waitingBytes <= MOST_WAITING) break;
      this.#cut(slowest);
    }
  }

  /** A reader has taken the bytes that waited for it. */
  taken(reader: Reader): void {
    this.#waitingBytes -= this.#waiting.get(reader) ?? 0;
    this.#waiting.delete(reader);
  }

  /** Sends a reader away with a reason. One that leaves its events untaken would not take that either: it is cut off. */
  end(reader: Reader, reason: ClosingReason): void {
    if (reader.waitsSince !== undefined) {
      this.#cut(reader);
      return;
    }
    this.#retire(reader);
    reader.close(reason);
    this.told(reader);
  }

  /** Readers whose connections are closing, by whichever side, are readers of their streams no longer. */
  letGo(): void {
    for (const reader of this.#readers) if (!reader.sink.isOpen) this.#retire(reader);
  }

  /** From now on its connection alone counts. */
  #retire(reader: Reader): void {
    this.#readers.delete(reader);
    this.#closing.set(reader, performance.now());
    this.#options.left(reader);
  }

  #sendAway(unserved: Reader): void {
    this.end(unserved, unserved.stream.phase === 'no_data' ? 'no_data' : 'unpaid');
  }

  #cut(reader: Reader): void {
    this.remove(reader);
    reader.sink.destroy();
    this.#options.cut(reader);
  }

  /**
   * Lets go of readers that have taken nothing, not gone, or not been served for too long, and shows the others that their
   * connection is there.
   *
   * @param at of `performance.now()`
   */
  beat(at: number): void {
    for (const [reader, since] of [...this.#closing]) if (at - since > STUCK_MS) this.#cut(reader);
    for (const reader of this.all) {
      const { waitsSince, unservedSince, sink } = reader;
      if (waitsSince !== undefined && at - waitsSince > STUCK_MS) this.#cut(reader);
      else if (unservedSince !== undefined && at - unservedSince > UNSERVED_MS) this.#sendAway(reader);
      else if (waitsSince === undefined) sink.beat();
    }
  }
}

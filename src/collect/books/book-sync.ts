import type { UnixMs } from '../../domain/units.ts';
import type { BookFeed } from '../../venues/book-feed.ts';
import type { BookFrame } from '../../venues/book-frame.ts';
import type { BookCondition, BookOrigin, BookWriter } from '../ports.ts';
import { StaleOrder } from './stale-order.ts';

/**
 * Reasons for which a book had to resynchronise. `gap`: a message is missing. `old_seed`: the deltas start
 * after the snapshot ends. `stale_run`: only messages from before what is held, as when a venue counts again.
 * `stalled`: the venue's book went on, the stream did not. `different`: the venue shows another book.
 * `malformed`: a message could not be read.
 */
export const BOOK_FAULTS = [
  'gap',
  'old_seed',
  'crossed',
  'truncated',
  'stale_run',
  'stalled',
  'different',
  'malformed',
  'disconnected',
] as const;

export type BookFault = (typeof BOOK_FAULTS)[number];

/** Messages from before what is held that are passed over in a row. */
const MAX_STALE_RUN = 100;
/** A book may be crossed between two messages, not for longer. */
const MAX_CROSS_MS = 1000;
/** Messages held while the snapshot is on its way. The oldest go first: a later snapshot needs the later ones. */
const MAX_BUFFERED = 1000;
const MAX_BUFFERED_LEVELS = 100_000;

/** Numbers that were reached are not taken back within this time; after it the venue may count again. */
const MIN_SEQUENCE_MS = 30_000;

const STREAM: BookOrigin = { source: 'stream' };

/**
 * One streamed book and its continuity: snapshots and deltas go in, and reach the writer only where the venue's
 * sequence rule proves that they follow. A break invalidates the book before anything else. No I/O, no timers.
 */
export class BookSync {
  readonly #feed: BookFeed;
  readonly #writer: BookWriter;
  /** Deltas that arrived before the snapshot. */
  #buffered: BookFrame[] = [];
  #bufferedLevels = 0;
  #isLive = false;
  /** The next delta is the first after a snapshot. */
  #isJoining = false;
  #lastSequence = Number.NaN;
  /** Sequence that the book had reached when it broke, or that a delta had since, and when: no older snapshot may replace it. */
  #minSequence = Number.NaN;
  #brokeAt = Number.NEGATIVE_INFINITY;
  #staleRun = 0;
  #order = new StaleOrder();
  #crossedSince = Number.POSITIVE_INFINITY;
  #applied = 0;

  constructor(feed: BookFeed, writer: BookWriter) {
    this.#feed = feed;
    this.#writer = writer;
  }

  /** True while the book is followed without a break. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** Sequence of the last applied message; NaN before the first or without numbers. */
  get lastSequence(): number {
    return this.#lastSequence;
  }

  /** Messages that reached the book since start. */
  get applied(): number {
    return this.#applied;
  }

  /** Deltas that wait for a snapshot. */
  get buffered(): number {
    return this.#buffered.length;
  }

  /** A message of the stream. Returns why the book broke, if it did. */
  frame(frame: BookFrame, at: UnixMs): BookFault | undefined {
    if (!this.#isLive) {
      if (frame.isSnapshot) return this.#begin(frame, at, STREAM);
      this.#wait(frame, at);
      return undefined;
    }
    const fault = frame.isSnapshot ? this.#replace(frame, at) : this.#advance(frame, at);
    if (fault !== undefined) {
      this.break(at);
      // After a gap the message is still the first of those that come after it.
      if (fault === 'gap' && !frame.isSnapshot) this.#buffer(frame);
    }
    return fault;
  }

  /**
   * Applies a REST snapshot to a book that waits for one. Returns why it was rejected.
   *
   * @param limit levels a side that an answer can have
   */
  applySnapshot(frame: BookFrame, at: UnixMs, limit: number | undefined): BookFault | undefined {
    return this.#begin(frame, at, { source: 'rest', limit });
  }

  /** Invalidates the book; it waits for a snapshot. */
  break(at: number): void {
    this.#writer.invalidate();
    if (this.#isLive) {
      this.#minSequence = this.#lastSequence;
      this.#brokeAt = at;
    }
    this.#isLive = false;
    this.#lastSequence = Number.NaN;
    this.#crossedSince = Number.POSITIVE_INFINITY;
    this.#clearBuffer();
  }

  /** The connection is gone: nothing waits any more, and the next may count again. */
  disconnect(at: number): void {
    if (this.#isLive) this.break(at);
    this.#clearBuffer();
    this.#minSequence = Number.NaN;
  }

  /** Faults that only show with time: a book that stays crossed. */
  overdue(now: UnixMs): BookFault | undefined {
    return this.#isLive && now - this.#crossedSince > MAX_CROSS_MS ? 'crossed' : undefined;
  }

  /** Adopts a newer REST snapshot beside the stream, where the stream sends snapshots too. */
  adoptSnapshot(frame: BookFrame, at: UnixMs, limit: number | undefined): void {
    this.#lastSequence = this.#feed.continuity.sequenceOf(frame);
    this.#writer.replace(frame, at, { source: 'rest', limit });
  }

  #begin(frame: BookFrame, at: UnixMs, origin: BookOrigin): BookFault | undefined {
    const { continuity } = this.#feed;
    if (!this.#isLive && this.#isOlderThanLast(frame, at, origin)) return 'old_seed';
    const fault = this.#judge(this.#writer.replace(frame, at, origin), at);
    this.#lastSequence = continuity.sequenceOf(frame);
    this.#isLive = true;
    this.#isJoining = continuity.checkFirstDelta !== undefined;
    this.#staleRun = 0;
    this.#order.reached(frame);
    this.#applied++;
    return fault === undefined ? this.#replayBuffered(at) : this.#fail(fault, at);
  }

  /** Applies the deltas that arrived before the snapshot. */
  #replayBuffered(at: UnixMs): BookFault | undefined {
    const buffered = this.#buffered;
    this.#clearBuffer();
    for (let i = 0; i < buffered.length; i++) {
      const frame = buffered[i];
      if (frame === undefined) break;
      const wasJoining = this.#isJoining;
      this.#staleRun = 0;
      const fault = this.#advance(frame, at);
      if (fault === undefined) continue;
      this.break(at);
      for (const later of buffered.slice(i)) this.#buffer(later);
      return fault === 'gap' && wasJoining ? 'old_seed' : fault;
    }
    return undefined;
  }

  #replace(frame: BookFrame, at: UnixMs): BookFault | undefined {
    const verdict = this.#feed.continuity.checkSnapshot(this.#lastSequence, frame);
    // A snapshot needs nothing before it: one that is later than what is held is the book, however it is numbered.
    if (verdict !== 'apply' && this.#order.isLater(frame, false)) return this.#begin(frame, at, STREAM);
    if (verdict === 'gap') return 'gap';
    return verdict === 'stale' ? this.#skipStale() : this.#begin(frame, at, STREAM);
  }

  #advance(frame: BookFrame, at: UnixMs): BookFault | undefined {
    const { continuity } = this.#feed;
    const rule =
      this.#isJoining && continuity.checkFirstDelta !== undefined
        ? continuity.checkFirstDelta
        : continuity.checkDelta;
    const verdict = rule(this.#lastSequence, frame);
    if (verdict === 'stale' && this.#order.hasBegunAgain(frame, this.#isJoining)) return this.#beginAgain(at);
    if (verdict !== 'apply') return verdict === 'gap' ? 'gap' : this.#skipStale();
    this.#isJoining = false;
    this.#staleRun = 0;
    this.#order.reached(frame);
    this.#lastSequence = continuity.sequenceOf(frame);
    this.#applied++;
    return this.#judge(this.#writer.apply(frame, at), at);
  }

  /** The venue counts again: no number that was reached says anything of those that come. */
  #beginAgain(at: UnixMs): BookFault {
    this.break(at);
    this.#minSequence = Number.NaN;
    return 'gap';
  }

  #skipStale(): BookFault | undefined {
    return ++this.#staleRun > MAX_STALE_RUN ? 'stale_run' : undefined;
  }

  #judge(condition: BookCondition, at: UnixMs): BookFault | undefined {
    if (condition === 'good') {
      this.#crossedSince = Number.POSITIVE_INFINITY;
      return undefined;
    }
    if (condition === 'truncated') return 'truncated';
    if (at < this.#crossedSince) this.#crossedSince = at;
    return at - this.#crossedSince > MAX_CROSS_MS ? 'crossed' : undefined;
  }

  /**
   * True if a snapshot is older than the state that this book had reached. Over REST a time may be that of the
   * answer.
   */
  #isOlderThanLast(frame: BookFrame, at: number, { source }: BookOrigin): boolean {
    if (Number.isNaN(this.#minSequence) || at - this.#brokeAt > MIN_SEQUENCE_MS) return false;
    if (source === 'stream' && this.#order.isLater(frame, false)) return false;
    return this.#feed.continuity.checkSnapshot(this.#minSequence, frame) !== 'apply';
  }

  #fail(fault: BookFault, at: number): BookFault {
    this.break(at);
    return fault;
  }

  /** A delta that cannot be joined to a snapshot must come before it: a snapshot of before the delta misses it. */
  #wait(frame: BookFrame, at: UnixMs): void {
    const { checkFirstDelta, sequenceOf } = this.#feed.continuity;
    if (checkFirstDelta !== undefined) {
      this.#buffer(frame);
      return;
    }
    this.#minSequence = sequenceOf(frame);
    this.#brokeAt = at;
  }

  #buffer(frame: BookFrame): void {
    if (this.#feed.continuity.checkFirstDelta === undefined) return;
    this.#buffered.push(frame.clone());
    this.#bufferedLevels += frame.bids.count + frame.asks.count;
    while (this.#buffered.length > MAX_BUFFERED || this.#bufferedLevels > MAX_BUFFERED_LEVELS) {
      const oldest = this.#buffered.shift();
      if (oldest === undefined) break;
      this.#bufferedLevels -= oldest.bids.count + oldest.asks.count;
    }
  }

  /** Drops the buffered deltas. */
  #clearBuffer(): void {
    this.#buffered = [];
    this.#bufferedLevels = 0;
  }
}

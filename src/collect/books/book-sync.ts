import type { UnixMs } from '../../domain/units.ts';
import type { BookFeed } from '../../venues/book-feed.ts';
import type { BookFrame } from '../../venues/book-frame.ts';
import type { BookCondition, BookOrigin, BookWriter } from '../ports.ts';

/**
 * Why a book had to begin anew. `gap`: a message is missing. `old_seed`: the changes begin after the whole book ends.
 * `stale_run`: only messages from before what is held, as when a venue counts anew. `stalled`: the venue's book went
 * on, the stream did not. `different`: the venue shows another book. `malformed`: a message could not be read.
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
const LONGEST_STALE_RUN = 100;
/** A book may be crossed between two messages, not for longer. */
const LONGEST_CROSS_MS = 1000;
/** Messages held while the whole book is on its way. The oldest go first: a later whole book needs the later ones. */
const MOST_HELD = 1000;
const MOST_HELD_LEVELS = 100_000;

/** Numbers that were reached are not taken back within this time; after it the venue may count anew. */
const FLOOR_MS = 30_000;

const STREAM: BookOrigin = { source: 'stream' };

/**
 * One streamed book and its continuity: whole books and changes go in, and reach the writer only where the venue's
 * rule shows that they follow. A break invalidates the book before anything else. No I/O, no timers.
 */
export class BookSync {
  readonly #feed: BookFeed;
  readonly #writer: BookWriter;
  /** Changes that came while there is no book to apply them to. */
  #held: BookFrame[] = [];
  #heldLevels = 0;
  #isLive = false;
  /** The next change is the first after a whole book. */
  #isJoining = false;
  #last = Number.NaN;
  /** Place that the book had reached when it broke, and when: nothing from before it may take its place. */
  #floor = Number.NaN;
  #brokeAt = Number.NEGATIVE_INFINITY;
  #staleRun = 0;
  #crossedSince = Number.POSITIVE_INFINITY;
  #applied = 0;

  constructor(feed: BookFeed, writer: BookWriter) {
    this.#feed = feed;
    this.#writer = writer;
  }

  /** Whether the book is followed without a break. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** Place of the last message in the book; NaN before the first or without numbers. */
  get last(): number {
    return this.#last;
  }

  /** Messages that reached the book since start. */
  get applied(): number {
    return this.#applied;
  }

  /** Changes that wait for a whole book. */
  get held(): number {
    return this.#held.length;
  }

  /** A message of the stream. Returns why the book broke, if it did. */
  frame(frame: BookFrame, at: UnixMs): BookFault | undefined {
    if (!this.#isLive) {
      if (frame.whole) return this.#begin(frame, at, STREAM);
      this.#hold(frame);
      return undefined;
    }
    const fault = frame.whole ? this.#replace(frame, at) : this.#advance(frame, at);
    if (fault !== undefined) {
      this.break(at);
      // After a gap the message is still the first of those that come after it.
      if (fault === 'gap' && !frame.whole) this.#hold(frame);
    }
    return fault;
  }

  /**
   * A whole book from REST, for a book that waits for one. Returns why it did not do.
   *
   * @param limit levels a side that an answer can have
   */
  seed(frame: BookFrame, at: UnixMs, limit: number | undefined): BookFault | undefined {
    return this.#begin(frame, at, { source: 'rest', limit });
  }

  /** Invalidates the book; it waits for a whole one. */
  break(at: number): void {
    this.#writer.invalidate();
    if (this.#isLive) {
      this.#floor = this.#last;
      this.#brokeAt = at;
    }
    this.#isLive = false;
    this.#last = Number.NaN;
    this.#crossedSince = Number.POSITIVE_INFINITY;
    this.#release();
  }

  /** The connection is gone: nothing waits any more, and the next may count anew. */
  disconnect(at: number): void {
    if (this.#isLive) this.break(at);
    this.#release();
    this.#floor = Number.NaN;
  }

  /** What only shows with time: a book that stays crossed. */
  overdue(now: UnixMs): BookFault | undefined {
    return this.#isLive && now - this.#crossedSince > LONGEST_CROSS_MS ? 'crossed' : undefined;
  }

  /** Takes over a newer whole book from REST beside the stream, where the stream sends whole books too. */
  overtake(frame: BookFrame, at: UnixMs, limit: number | undefined): void {
    this.#last = this.#feed.continuity.place(frame);
    this.#writer.replace(frame, at, { source: 'rest', limit });
  }

  #begin(frame: BookFrame, at: UnixMs, origin: BookOrigin): BookFault | undefined {
    const { continuity } = this.#feed;
    if (!this.#isLive && this.#isFromBefore(frame, at)) return 'old_seed';
    const fault = this.#judge(this.#writer.replace(frame, at, origin), at);
    this.#last = continuity.place(frame);
    this.#isLive = true;
    this.#isJoining = continuity.joins !== undefined;
    this.#staleRun = 0;
    this.#applied++;
    return fault === undefined ? this.#catchUp(at) : this.#fail(fault, at);
  }

  /** Applies what came while the whole book was on its way. */
  #catchUp(at: UnixMs): BookFault | undefined {
    const held = this.#held;
    this.#release();
    for (let i = 0; i < held.length; i++) {
      const frame = held[i];
      if (frame === undefined) break;
      const wasJoining = this.#isJoining;
      this.#staleRun = 0;
      const fault = this.#advance(frame, at);
      if (fault === undefined) continue;
      this.break(at);
      for (const later of held.slice(i)) this.#hold(later);
      return fault === 'gap' && wasJoining ? 'old_seed' : fault;
    }
    return undefined;
  }

  #replace(frame: BookFrame, at: UnixMs): BookFault | undefined {
    const verdict = this.#feed.continuity.replaces(this.#last, frame);
    if (verdict === 'gap') return 'gap';
    return verdict === 'stale' ? this.#passOver() : this.#begin(frame, at, STREAM);
  }

  #advance(frame: BookFrame, at: UnixMs): BookFault | undefined {
    const { continuity } = this.#feed;
    const rule = this.#isJoining && continuity.joins !== undefined ? continuity.joins : continuity.follows;
    const verdict = rule(this.#last, frame);
    if (verdict !== 'apply') return verdict === 'gap' ? 'gap' : this.#passOver();
    this.#isJoining = false;
    this.#staleRun = 0;
    this.#last = continuity.place(frame);
    this.#applied++;
    return this.#judge(this.#writer.apply(frame, at), at);
  }

  #passOver(): BookFault | undefined {
    return ++this.#staleRun > LONGEST_STALE_RUN ? 'stale_run' : undefined;
  }

  #judge(condition: BookCondition, at: UnixMs): BookFault | undefined {
    if (condition === 'good') {
      this.#crossedSince = Number.POSITIVE_INFINITY;
      return undefined;
    }
    if (condition === 'truncated') return 'truncated';
    if (at < this.#crossedSince) this.#crossedSince = at;
    return at - this.#crossedSince > LONGEST_CROSS_MS ? 'crossed' : undefined;
  }

  /** Whether a whole book is of a moment before the one that this book had reached. */
  #isFromBefore(frame: BookFrame, at: number): boolean {
    if (Number.isNaN(this.#floor) || at - this.#brokeAt > FLOOR_MS) return false;
    return this.#feed.continuity.replaces(this.#floor, frame) !== 'apply';
  }

  #fail(fault: BookFault, at: number): BookFault {
    this.break(at);
    return fault;
  }

  #hold(frame: BookFrame): void {
    if (this.#feed.continuity.joins === undefined) return;
    this.#held.push(frame.clone());
    this.#heldLevels += frame.bids.count + frame.asks.count;
    while (this.#held.length > MOST_HELD || this.#heldLevels > MOST_HELD_LEVELS) {
      const oldest = this.#held.shift();
      if (oldest === undefined) break;
      this.#heldLevels -= oldest.bids.count + oldest.asks.count;
    }
  }

  /** Forgets the changes that wait. */
  #release(): void {
    this.#held = [];
    this.#heldLevels = 0;
  }
}

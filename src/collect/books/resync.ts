import type { BookStart } from '../../venues/book-feed.ts';
import type { BookCounters } from './book-stats.ts';
import type { BookFault } from './book-sync.ts';
import type { FollowedBook } from './followed-book.ts';

/** Waits before the first, second … ask of a row; the last holds on. */
const DELAYS_MS = [0, 250, 500, 1000, 2000];
/** After so many asks in a row something is wrong for good. */
const PATIENCE = 30;
const LONG_DELAY_MS = 30_000;
/** A book in order for this long ends a row of asks. */
const SETTLED_MS = 10_000;
/** Time that a subscription has to bring a whole book. */
const ANSWER_MS = 4000;
/** Time after which a book without a message is asked for over REST all the same. */
const QUIET_SEED_MS = 1500;
/** Of the asks where both ways are open, every so many goes to the stream. */
const STREAM_TURN = 4;

export interface ResyncOptions {
  readonly start: BookStart;
  /** Least time between two subscriptions to a topic; none by default. */
  readonly gapMs?: number;
  /** Time that a subscription has to bring a whole book; four seconds by default. */
  readonly answerMs?: number;
  readonly counters: BookCounters;
  /** Subscribes to the book's topic anew. */
  readonly resubscribe: (book: FollowedBook) => void;
  /** Asks for the book over REST; the answer comes back as `again` or `settled`. */
  readonly fetch: (book: FollowedBook) => void;
}

/** Brings broken books back: one ask at a time for each, at growing distances. */
export class Resync {
  readonly #options: ResyncOptions;

  constructor(options: ResyncOptions) {
    this.#options = options;
  }

  /** The book broke: it is asked for at once, or later in a row of breaks. */
  broken(book: FollowedBook, fault: BookFault, now: number): void {
    this.#options.counters.breaks[fault]++;
    if (now - book.liveSince >= SETTLED_MS) book.asks = 0;
    book.brokenAt = now;
    this.#plan(book, now);
  }

  /** The stream is gone. Nothing is asked before it is back. */
  lost(book: FollowedBook, now: number): void {
    this.#options.counters.breaks.disconnected++;
    if (now - book.liveSince >= SETTLED_MS) book.asks = 0;
    book.brokenAt = now;
    book.askAt = Number.POSITIVE_INFINITY;
  }

  /** The subscription is on its way: a whole book or a first change should follow. */
  subscribed(book: FollowedBook, now: number): void {
    book.subscribedAt = now;
    book.brokenAt = now;
    book.askAt = now + (this.#options.start === 'seed' ? QUIET_SEED_MS : this.#answerMs);
  }

  /** A change came for a book that waits: with it a whole book over REST can be joined. */
  held(book: FollowedBook, now: number): void {
    if (this.#options.start !== 'seed' || book.isFetching || book.asks > 0) return;
    this.#plan(book, now);
  }

  /** What was asked for did not do. */
  again(book: FollowedBook, now: number): void {
    if (book.askAt === Number.POSITIVE_INFINITY) this.#plan(book, now);
  }

  /** The book is in order. */
  settled(book: FollowedBook, now: number): void {
    book.askAt = Number.POSITIVE_INFINITY;
    book.liveSince = now;
    book.comparedAt = now;
  }

  /** Asks for what is due. */
  tick(book: FollowedBook, now: number): void {
    if (now >= book.askAt && !book.isLive) this.#ask(book, now);
  }

  get #answerMs(): number {
    return this.#options.answerMs ?? ANSWER_MS;
  }

  #plan(book: FollowedBook, now: number): void {
    const usual = DELAYS_MS[Math.min(book.asks, DELAYS_MS.length - 1)] ?? 0;
    const { start, gapMs = 0 } = this.#options;
    const earliest = start === 'seed' ? now : book.subscribedAt + gapMs;
    book.askAt = Math.max(earliest, now + (book.asks > PATIENCE ? LONG_DELAY_MS : usual));
    if (book.askAt <= now) this.#ask(book, now);
  }

  /** A request that is under way already, as for a stand-in, is waited for; another subscription is not. */
  #ask(book: FollowedBook, now: number): void {
    const { start, counters, resubscribe, fetch } = this.#options;
    const canJoin = (book.sync?.held ?? 0) > 0 && (book.asks + 1) % STREAM_TURN !== 0;
    const overRest = start === 'seed' || (start === 'either' && canJoin);
    if (overRest && book.isFetching) return;
    book.asks++;
    if (overRest) {
      counters.seeded++;
      book.askAt = Number.POSITIVE_INFINITY;
      fetch(book);
    } else {
      counters.resubscribed++;
      book.subscribedAt = now;
      book.askAt = now + Math.max(this.#answerMs, book.asks > PATIENCE ? LONG_DELAY_MS : 0);
      resubscribe(book);
    }
  }
}

import type { InitialSnapshot } from '../../venues/book-feed.ts';
import type { BookCounters } from './book-stats.ts';
import { type BookSubscription, NOT_LIVE } from './book-subscription.ts';
import type { BookFault } from './book-sync.ts';

/** Waits before the first, second … ask of a row; the last holds on. */
const DELAYS_MS = [0, 250, 500, 1000, 2000];
/** After so many attempts in a row the next ones wait for the long delay. */
const PATIENCE = 30;
const LONG_DELAY_MS = 30_000;
/** After so many attempts in a row the sound books of the connection are no longer interrupted for the faulty one. */
const FORBEARANCE = 10;
/** A book in order for this long ends a row of asks. */
const SETTLED_MS = 10_000;
/** Time that a subscription has to bring a snapshot. */
const ANSWER_MS = 4000;
/** Time after which a book without a message is asked for over REST all the same. */
const QUIET_SEED_MS = 1500;
/** Of the asks where both ways are open, every so many goes to the stream. */
const STREAM_TURN = 4;

export interface ResyncOptions {
  readonly initialSnapshot: InitialSnapshot;
  /** Least time between two subscriptions to a topic; none by default. */
  readonly gapMs?: number;
  /** Time that a subscription has to bring a snapshot; four seconds by default. */
  readonly answerMs?: number;
  readonly counters: BookCounters;
  /** Subscribes to the book's topic again. */
  readonly resubscribe: (book: BookSubscription) => void;
  /** True if subscribing again would break off other books that are in order. */
  readonly costsOthers: (book: BookSubscription) => boolean;
  /** Asks for the book over REST; the answer comes back as `again` or `settled`. */
  readonly fetch: (book: BookSubscription) => void;
}

/** Brings broken books back: one ask at a time for each, at growing distances. */
export class Resync {
  readonly #options: ResyncOptions;

  constructor(options: ResyncOptions) {
    this.#options = options;
  }

  /** The book broke: it is asked for at once, or later in a row of breaks. */
  broken(book: BookSubscription, fault: BookFault, now: number): void {
    this.#options.counters.breaks[fault]++;
    this.#end(book, now);
    this.#plan(book, now);
  }

  /** The stream is gone. Nothing is asked before it is back. */
  lost(book: BookSubscription, now: number): void {
    this.#options.counters.breaks.disconnected++;
    this.#end(book, now);
    book.requestAt = Number.POSITIVE_INFINITY;
  }

  /** The subscription is on its way: a snapshot or a first change should follow. */
  subscribed(book: BookSubscription, now: number): void {
    book.subscribedAt = now;
    // In a row of asks the stream has had its time: REST replaces it meanwhile.
    if (book.requests === 0) book.brokenAt = now;
    const usual = this.#options.initialSnapshot === 'rest' ? QUIET_SEED_MS : this.#answerMs;
    book.requestAt = now + (book.requests > PATIENCE ? LONG_DELAY_MS : usual);
  }

  /** A change came for a book that waits: with it a snapshot over REST can be joined. */
  held(book: BookSubscription, now: number): void {
    if (this.#options.initialSnapshot !== 'rest' || book.isFetching || book.requests > 0) return;
    this.#plan(book, now);
  }

  /** The requested snapshot did not help. */
  again(book: BookSubscription, now: number): void {
    if (book.requestAt === Number.POSITIVE_INFINITY) this.#plan(book, now);
  }

  /** The book is in order. */
  settled(book: BookSubscription, now: number): void {
    book.requestAt = Number.POSITIVE_INFINITY;
    book.liveSince = now;
    book.comparedAt = now;
  }

  /** Asks for what is due. */
  tick(book: BookSubscription, now: number): void {
    const waitMs = book.requestAt - now;
    // A longer wait than there is was begun before the clock was set back.
    const isOver = waitMs <= 0 || (waitMs > this.#longestWaitMs && Number.isFinite(waitMs));
    if (isOver && !book.isLive) this.#request(book, now);
  }

  get #answerMs(): number {
    return this.#options.answerMs ?? ANSWER_MS;
  }

  get #longestWaitMs(): number {
    return Math.max(LONG_DELAY_MS, this.#answerMs, this.#options.gapMs ?? 0);
  }

  /** The stream has left the book, if it had it in order. Only a book that was so for a while begins a new row of asks. */
  #end(book: BookSubscription, now: number): void {
    if (now - book.liveSince >= SETTLED_MS) book.requests = 0;
    if (book.liveSince !== NOT_LIVE || book.requests === 0) book.brokenAt = now;
    book.liveSince = NOT_LIVE;
  }

  #plan(book: BookSubscription, now: number): void {
    const usual = DELAYS_MS[Math.min(book.requests, DELAYS_MS.length - 1)] ?? 0;
    const { initialSnapshot, gapMs = 0 } = this.#options;
    const earliest = initialSnapshot === 'rest' ? now : Math.min(now, book.subscribedAt) + gapMs;
    book.requestAt = Math.max(earliest, now + (book.requests > PATIENCE ? LONG_DELAY_MS : usual));
    if (book.requestAt <= now) this.#request(book, now);
  }

  /** A request that is under way already, as for a stand-in, is waited for; another subscription is not. */
  #request(book: BookSubscription, now: number): void {
    const { initialSnapshot, counters, resubscribe, fetch } = this.#options;
    const canJoin = (book.sync?.buffered ?? 0) > 0 && (book.requests + 1) % STREAM_TURN !== 0;
    const overRest = initialSnapshot === 'rest' || (initialSnapshot === 'either' && canJoin);
    if (overRest && book.isFetching) return;
    if (!overRest && book.requests >= FORBEARANCE && this.#options.costsOthers(book)) {
      book.requestAt = now + this.#answerMs;
      return;
    }
    book.requests++;
    if (overRest) {
      counters.initialRequested++;
      book.requestAt = Number.POSITIVE_INFINITY;
      fetch(book);
    } else {
      counters.resubscribed++;
      book.subscribedAt = now;
      book.requestAt = now + Math.max(this.#answerMs, book.requests > PATIENCE ? LONG_DELAY_MS : 0);
      resubscribe(book);
    }
  }
}

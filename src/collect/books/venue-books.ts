import type { Clock } from '../../domain/clock.ts';
import type { Decoded } from '../../domain/decoded.ts';
import { isFault } from '../../domain/reject.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { TokenBucket } from '../../runtime/token-bucket.ts';
import type { BookFeed, BookScan } from '../../venues/book-feed.ts';
import { BookFrame } from '../../venues/book-frame.ts';
import type { PlanContext } from '../../venues/stream.ts';
import type { IsShed } from '../load-shedding.ts';
import type { BookSink } from '../ports.ts';
import { type BookCounters, type BookStats, emptyBookCounters } from './book-stats.ts';
import type { BookSubscription } from './book-subscription.ts';
import { BookSubscriptions } from './book-subscriptions.ts';
import type { BookFault } from './book-sync.ts';
import { isDoubtProven } from './compare.ts';
import { ConnectionCount } from './connection-count.ts';
import { RestBooks, type RestBooksOptions } from './rest-books.ts';
import { Resync } from './resync.ts';

export interface VenueBooksOptions {
  readonly feed: BookFeed;
  readonly bookSink: BookSink;
  readonly clock: Clock;
  /** The budget of REST books; unused without REST. */
  readonly bucket: TokenBucket;
  /** Contracts to stream at most, the most traded first. */
  readonly mostStreamed: number;
  /** Tickers of the assets whose books come before all others; default none. */
  readonly priorityTickers?: ReadonlySet<string> | undefined;
  /** Subscribes again to these topics, or connects again where the venue's feed says so. */
  readonly renew: (topics: readonly string[]) => void;
  readonly fetch: RestBooksOptions['fetch'];
  /** Work that is shed at present, because the machine is too slow; by default none. */
  readonly isShed?: IsShed | undefined;
}

/** A quiet book without REST is asked for over the stream after this time, before it counts as old. */
const QUIET_RENEW_MS = 45_000;
/** A new connection takes time of its own: what brings no snapshot is given up sooner than a subscription. */
const CONNECTION_ANSWER_MS = 3000;

/**
 * The books of one venue: gives each message to its book, mends what breaks, and fills in over REST what is not
 * streamed. It holds no socket and no timer: frames come in, `tick` says that time has passed.
 */
export class VenueBooks {
  readonly #options: VenueBooksOptions;
  readonly #counters: BookCounters = emptyBookCounters();
  readonly #subscriptions: BookSubscriptions;
  readonly #frame = new BookFrame();
  readonly #scan: BookScan | undefined;
  readonly #resync: Resync;
  readonly #rest: RestBooks | undefined;
  /** The count of each connection's frames, where the venue numbers them. */
  readonly #countOf = new Map<number, ConnectionCount>();
  /** Connection of each topic that is subscribed to. */
  readonly #connectionOf = new Map<string, number>();

  constructor(options: VenueBooksOptions) {
    const { feed, bookSink, clock, bucket, fetch } = options;
    this.#options = options;
    this.#subscriptions = new BookSubscriptions(
      feed,
      bookSink,
      options.mostStreamed,
      options.priorityTickers ?? new Set(),
    );
    this.#scan = feed.stream?.scanner?.();
    this.#resync = new Resync({
      initialSnapshot: feed.initialSnapshot,
      ...(feed.stream?.renewGapMs === undefined ? {} : { gapMs: feed.stream.renewGapMs }),
      ...(this.#isByConnection ? { answerMs: CONNECTION_ANSWER_MS } : {}),
      counters: this.#counters,
      resubscribe: (book) => this.#renew(book),
      costsOthers: (book) => this.#isByConnection && this.#onItsConnection(book).some(({ isLive }) => isLive),
      fetch: (book) => this.#rest?.requestInitial(book),
    });
    if (feed.rest === undefined) return;
    const broken = (book: BookSubscription, fault: BookFault, now: number): void =>
      this.#break(book, fault, now);
    const rotates = (): boolean => !this.#isShed('book_rotation');
    const shared = { feed, clock, bucket, fetch, broken, rotates, resync: this.#resync };
    this.#rest = new RestBooks({ ...shared, counters: this.#counters }, feed.rest);
  }

  /** Brings the books in line with the contracts. Returns the topics to follow. */
  plan(plan: PlanContext): readonly string[] {
    const topics = this.#subscriptions.plan(plan, this.#isShed('unread_books'));
    const followed = new Set(topics);
    for (const topic of this.#connectionOf.keys()) if (!followed.has(topic)) this.#connectionOf.delete(topic);
    // A contract whose units changed is another book on a topic that is followed already.
    for (const topic of topics) {
      const connection = this.#connectionOf.get(topic);
      if (connection !== undefined) this.#carry(topic, connection, plan.now);
    }
    return topics;
  }

  /**
   * The bytes of a frame's text. Returns whether it was a message of a followed book in a shape that the scanner
   * knows.
   *
   * @param length bytes that count
   */
  bytes(bytes: Uint8Array, length: number, at: UnixMs): boolean {
    const frame = this.#frame;
    if (this.#scan === undefined || !this.#scan(bytes, length, frame)) return false;
    const book = this.#subscriptions.get(frame.symbol);
    if (book?.sync === undefined) return false;
    this.#counters.scanned++;
    this.#message(book, frame, at);
    return true;
  }

  /** The place of a parsed frame on its connection. Returns false where its content has been here already. */
  counts(payload: unknown, at: UnixMs, connection: number): boolean {
    const { stream } = this.#options.feed;
    const sequence = stream?.connectionSequence?.(payload);
    if (sequence === undefined) return true;
    const isAnswer = stream?.answersSubscription?.(payload) ?? false;
    const verdict = this.#count(connection).judge(sequence, isAnswer);
    if (verdict === 'stale') return false;
    if (verdict === 'gap') {
      for (const book of this.#subscriptions.all) {
        if (book.connection === connection) this.#break(book, 'gap', at);
      }
    }
    return true;
  }

  /** Takes the decoded content of a frame. */
  decoded(decoded: Decoded, at: UnixMs): void {
    for (const update of decoded.books) {
      const book = this.#subscriptions.get(update.symbol);
      if (book?.sync === undefined) {
        this.#counters.unfollowed++;
        continue;
      }
      this.#counters.decoded++;
      this.#frame.load(update);
      this.#message(book, this.#frame, at);
    }
    for (const reject of decoded.rejects) {
      const book = reject.symbol === null ? undefined : this.#subscriptions.get(reject.symbol);
      // A message that cannot be read is a message that is missing.
      if (book?.sync?.isLive === true && isFault(reject)) this.#break(book, 'malformed', at);
    }
  }

  /** Subscriptions to these topics are on their way. */
  subscribed(topics: readonly string[], connection: number): void {
    const now = this.#options.clock.now();
    if (this.#options.feed.stream?.answersSubscription !== undefined)
      this.#count(connection).subscribed(topics.length);
    for (const topic of topics) {
      this.#connectionOf.set(topic, connection);
      this.#carry(topic, connection, now);
    }
  }

  /** The connection of these topics is gone. */
  lost(topics: readonly string[], connection: number): void {
    const now = this.#options.clock.now();
    this.#countOf.delete(connection);
    for (const topic of topics) {
      this.#connectionOf.delete(topic);
      for (const book of this.#subscriptions.onTopic(topic)) {
        book.connection = undefined;
        book.sync?.disconnect(now);
        this.#resync.lost(book, now);
      }
    }
  }

  /** The connection was ended: nothing is followed on it any more. */
  ended(connection: number): void {
    this.#countOf.delete(connection);
  }

  /** Closes all books, for good. */
  dropAll(): void {
    this.#subscriptions.dropAll();
  }

  /**
   * Somebody reads this contract's book.
   *
   * @returns whether only a stream can bring it, and that was given up: the plan has to be made again
   */
  want(symbol: string): boolean {
    const book = this.#subscriptions.get(symbol);
    if (book === undefined) return false;
    const now = this.#options.clock.now();
    const isNew = !book.isWanted(now);
    book.wantedAt = now;
    return isNew && book.sync === undefined && this.#rest === undefined && this.#isShed('unread_books');
  }

  /**
   * Computed answers rest on the books of these contracts: they are kept fresh over REST, the first ones before the
   * later, and streamed before others.
   *
   * @param symbols the most valuable first
   * @returns whether one of them could be streamed and is not: the plan has to be made again
   */
  prefer(symbols: readonly string[]): boolean {
    const now = this.#options.clock.now();
    let isMissing = false;
    for (const [rank, symbol] of symbols.entries()) {
      const book = this.#subscriptions.get(symbol);
      if (book === undefined) continue;
      book.preferredRank = rank;
      isMissing ||= !this.#subscriptions.isPreferred(book, now) && book.sync === undefined;
      book.preferredAt = now;
    }
    return isMissing;
  }

  /** Time has passed: asks for what is due. */
  tick(): void {
    const now = this.#options.clock.now();
    for (const book of this.#subscriptions.all) {
      if (book.sync === undefined) continue;
      this.#resync.tick(book, now);
      const overdue = book.sync.overdue(now) ?? (isDoubtProven(book, now) ? 'stalled' : undefined);
      if (overdue !== undefined) this.#break(book, overdue, now);
      if (this.#rest === undefined && book.isLive) this.#renewQuiet(book, now);
    }
    this.#rest?.tick(this.#subscriptions.all, now);
  }

  stats(): BookStats {
    const books = this.#subscriptions.all;
    const streamed = books.filter((book) => book.sync !== undefined).length;
    const live = books.filter((book) => book.isLive).length;
    const now = { contracts: books.length, streamed, live, waiting: streamed - live };
    return { ...this.#counters, breaks: { ...this.#counters.breaks }, ...now };
  }

  #count(connection: number): ConnectionCount {
    const count = this.#countOf.get(connection) ?? new ConnectionCount();
    this.#countOf.set(connection, count);
    return count;
  }

  #isShed(what: Parameters<IsShed>[0]): boolean {
    return this.#options.isShed?.(what) ?? false;
  }

  #message(book: BookSubscription, frame: BookFrame, at: UnixMs): void {
    const { sync } = book;
    if (sync === undefined) return;
    const wasLive = sync.isLive;
    const fault = sync.frame(frame, at);
    book.messageAt = at;
    if (fault !== undefined) this.#resync.broken(book, fault, at);
    else if (!sync.isLive) this.#resync.held(book, at);
    else if (!wasLive) this.#resync.settled(book, at);
  }

  #carry(topic: string, connection: number, now: number): void {
    for (const book of this.#subscriptions.onTopic(topic)) {
      if (book.connection === connection && book.requestAt !== Number.POSITIVE_INFINITY) continue;
      book.connection = connection;
      if (!book.isLive) this.#resync.subscribed(book, now);
    }
  }

  #break(book: BookSubscription, fault: BookFault, at: number): void {
    book.sync?.break(at);
    this.#resync.broken(book, fault, at);
  }

  #renewQuiet(book: BookSubscription, now: number): void {
    // Without the sign: a clock that was set back must not hide silence.
    if (Math.abs(now - Math.max(book.messageAt, book.comparedAt)) < QUIET_RENEW_MS) return;
    book.comparedAt = now;
    this.#renew(book);
  }

  #renew(book: BookSubscription): void {
    const topic = this.#subscriptions.topicOf(book);
    if (topic === undefined) return;
    if (this.#isByConnection) {
      // A new connection is an ask for all that wait on it: each on its own would make as many again.
      for (const other of this.#onItsConnection(book))
        if (!other.isLive) other.requests = Math.max(other.requests, book.requests);
    }
    this.#options.renew([topic]);
  }

  /** True if only a new connection brings fresh snapshots. */
  get #isByConnection(): boolean {
    return this.#options.feed.stream?.renewal === 'connection';
  }

  #onItsConnection({ connection }: BookSubscription): readonly BookSubscription[] {
    return this.#subscriptions.all.filter(
      (other) => other.sync !== undefined && other.connection === connection,
    );
  }
}

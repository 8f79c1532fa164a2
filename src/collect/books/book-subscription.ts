import type { Instrument } from '../../domain/instrument.ts';
import type { BookFeed } from '../../venues/book-feed.ts';
import type { BookSink, BookWriter } from '../ports.ts';
import { BookSync } from './book-sync.ts';

const NEVER = Number.NEGATIVE_INFINITY;
const NOT_PLANNED = Number.POSITIVE_INFINITY;
/** Of a book that the stream does not keep in order. */
export const NOT_LIVE = Number.POSITIVE_INFINITY;
/** A book that a request asked for may be asked for again within this time. */
const WANTED_FOR_MS = 300_000;
/** Computed answers name the books they use again every few seconds. */
const NAMED_FOR_MS = 20_000;

/** One contract's book and what is known of getting it. Times are Unix ms. */
export class BookSubscription {
  readonly contract: Instrument;
  /** True if most questions are about its asset: its book is the first that a start asks for. */
  readonly isPriority: boolean;
  readonly #feed: BookFeed;
  readonly #bookSink: BookSink;
  #writer: BookWriter | undefined;
  #sync: BookSync | undefined;
  #isClosed = false;

  /** The connection that carries the book's topic, or is about to. */
  connection: number | undefined;
  /** When to ask next for a snapshot; Infinity where nothing is to be asked. */
  requestAt = NOT_PLANNED;
  /** Asks since the book was last in order for a while. */
  requests = 0;
  /** When its topic was subscribed to last. */
  subscribedAt = NEVER;
  /** A snapshot is on its way over REST, for this book or its comparison. */
  isFetching = false;
  /** When the stream last broke or began, and since when it keeps the book in order. */
  brokenAt = NEVER;
  liveSince = NOT_LIVE;
  /** Last message of the stream that belonged to the book. */
  messageAt = NEVER;
  /** Last snapshot that came over REST, and when the next may be asked for. */
  restAt = NEVER;
  restFrom = NEVER;
  restFailures = 0;
  /** The last snapshot over REST was asked for with fewer levels than the venue gives. */
  isShallow = false;
  /** Last read that asked for this book. */
  wantedAt = NEVER;
  /** When a computed answer last rested on this book. */
  preferredAt = NEVER;
  /** Place among those that answers rest on, the most valuable at 0. */
  preferredRank = Number.POSITIVE_INFINITY;
  /** Last comparison with REST. */
  comparedAt = NEVER;
  /** The comparison that left a doubt: when, and how many messages had been applied by then. */
  doubtAt = NOT_PLANNED;
  doubtApplied = 0;
  /** Place that the stream has to reach to remove the doubt; NaN where any message does. */
  doubtSequence = Number.NaN;

  constructor(contract: Instrument, feed: BookFeed, bookSink: BookSink, isPriority = false) {
    this.contract = contract;
    this.isPriority = isPriority;
    this.#feed = feed;
    this.#bookSink = bookSink;
  }

  get symbol(): string {
    return this.contract.symbol;
  }

  /** The stream's side; undefined where the book is not streamed. */
  get sync(): BookSync | undefined {
    return this.#sync;
  }

  /** True if the stream keeps the book in order. */
  get isLive(): boolean {
    return this.#sync?.isLive ?? false;
  }

  /** True if somebody has read the book lately. */
  isWanted(now: number): boolean {
    return now - this.wantedAt < WANTED_FOR_MS;
  }

  /** True once a snapshot has come over REST. */
  get wasFetched(): boolean {
    return this.restAt !== NEVER;
  }

  /** True while computed answers use the book. */
  isNamed(now: number): boolean {
    return now - this.preferredAt < NAMED_FOR_MS;
  }

  /** True once the contract is gone: nothing may be written any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Writes the book into its store; opened on first use. */
  get writer(): BookWriter {
    this.#writer ??= this.#bookSink.open(this.contract, { uncrosses: this.#feed.crossed === 'uncross' });
    return this.#writer;
  }

  /** Begins or ends to follow the stream. A book that is no longer streamed may be wrong from then on. */
  follow(streamed: boolean, now: number): void {
    if (streamed === (this.#sync !== undefined)) return;
    this.#sync?.break(now);
    this.#sync = streamed ? new BookSync(this.#feed, this.writer) : undefined;
    this.connection = undefined;
    this.requestAt = NOT_PLANNED;
    this.requests = 0;
    this.brokenAt = now;
    this.liveSince = NOT_LIVE;
    this.doubtAt = NOT_PLANNED;
  }

  close(): void {
    this.#isClosed = true;
    this.#writer?.close();
    this.#writer = undefined;
    this.#sync = undefined;
  }
}

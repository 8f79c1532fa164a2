import type { Clock } from '../../domain/clock.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { sleep, type Timer } from '../../runtime/timer.ts';
import { TokenBucket } from '../../runtime/token-bucket.ts';
import type { VenueAdapter } from '../../venues/adapter.ts';
import { BOOK_BOUND } from '../../venues/answer-bound.ts';
import type { BookFeed, BookRequest } from '../../venues/book-feed.ts';
import type { VenueRequest } from '../../venues/call.ts';
import type { PlanContext, Stream } from '../../venues/stream.ts';
import { type DecodeStats, emptyDecodeStats, type VenueDecodePipeline } from '../decode-pipeline.ts';
import type { FrameSink } from '../frame-sink.ts';
import type { IsShed } from '../load-shedding.ts';
import type { CollectLogger } from '../logger.ts';
import type { BookSink } from '../ports.ts';
import { PRIORITY } from '../priority.ts';
import { type StreamOptions, type StreamReport, StreamTransport } from '../stream.ts';
import type { Outcome } from '../transport-failure.ts';
import type { Answer, CallTerms } from '../venue-caller.ts';
import type { BookStats } from './book-stats.ts';
import type { FetchedBook } from './rest-books.ts';
import { VenueBooks } from './venue-books.ts';

/** Books that are kept, and how many of a venue are streamed. */
export interface BookCoverage {
  readonly bookSink: BookSink;
  /** Contracts of one venue that are streamed, the most traded first; default 100. */
  readonly streamed?: number;
  /** Tickers of the assets whose books a start asks for first, and keeps young; default none. */
  readonly priorityTickers?: ReadonlySet<string>;
  /** Work that is shed at present, because the machine is too slow. */
  readonly isShed?: IsShed;
}

export interface BookRunnerOptions {
  readonly adapter: VenueAdapter;
  readonly books: BookFeed;
  readonly coverage: BookCoverage;
  readonly feed: VenueDecodePipeline;
  readonly plan: () => PlanContext;
  readonly bases: StreamOptions['bases'];
  readonly request: (
    request: VenueRequest,
    terms: Omit<CallTerms, 'stats' | 'signal'>,
  ) => Promise<Outcome<Answer>>;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: () => number;
  readonly logger: CollectLogger;
  readonly stream: Pick<
    StreamOptions,
    'firstBackoffMs' | 'longestBackoffMs' | 'maxPayloadBytes' | 'dialGapMs'
  >;
  /** Hears frames of its stream before they are decoded. */
  readonly line?: StreamOptions['line'];
}

export interface BookReport extends BookStats {
  readonly stream: (StreamReport & DecodeStats) | undefined;
  readonly rest: DecodeStats;
}

const STREAM_NAME = 'stream books';
const REST_NAME = 'books';
const STREAMED = 100;
/** Part of a budget pool that books use at most, where the feed does not say. */
const SHARE = 0.3;
/** In a short rate-limit window the initial snapshots leave part of it to the other requests at start. */
const SHORT_WINDOW_MS = 10_000;
const FILLED_AT_START = 0.2;
/** A pool for venues that name no limit. */
const MODEST = { limit: 10, perMs: 1000 };
const TICK_MS = 250;

/** The token bucket of a venue's snapshots: a share of its limit, but at least one request at a time. */
export function bookTokenBucket(limit: number, perMs: number, share: number, weight: number): TokenBucket {
  const capacity = Math.max(limit * share, weight);
  const initialLevel = perMs > SHORT_WINDOW_MS ? 1 : Math.max(FILLED_AT_START, weight / capacity);
  return new TokenBucket(capacity, perMs, initialLevel);
}

/** Runs the books of one venue: its stream, its REST calls and the passing of time. */
export class BookRunner {
  readonly #options: BookRunnerOptions;
  readonly #books: VenueBooks;
  readonly #transport: StreamTransport | undefined;
  readonly #streamStats = emptyDecodeStats();
  readonly #restStats = emptyDecodeStats();
  /** True if the streams that run were planned without the books that nobody reads. */
  #isShed = false;

  constructor(options: BookRunnerOptions) {
    const { books: feed, coverage, clock } = options;
    this.#options = options;
    this.#books = new VenueBooks({
      feed,
      clock,
      bookSink: coverage.bookSink,
      mostStreamed: coverage.streamed ?? STREAMED,
      priorityTickers: coverage.priorityTickers,
      isShed: coverage.isShed,
      bucket: this.#bucket(),
      renew: (topics) => {
        if (feed.stream?.renewal === 'connection') this.#transport?.reconnect(topics);
        else this.#transport?.renew(topics);
      },
      fetch: (contract, request, isUrgent) => this.#fetch(contract, request, isUrgent),
    });
    this.#transport = this.#makeTransport();
  }

  /** Brings streams and rotation in line with the contracts. */
  refresh(): void {
    if (this.#transport === undefined) this.#books.plan(this.#options.plan());
    else this.#transport.refresh();
  }

  /** Lets time pass for the books until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#books.tick();
      this.#followShedding();
      await sleep(this.#options.timer, TICK_MS, signal);
    }
  }

  /** Ends all connections for good. */
  close(): void {
    this.#transport?.close();
  }

  /** Keeps no book any more. */
  dropAll(): void {
    this.#books.dropAll();
  }

  /** Somebody reads this contract's book. */
  want(symbol: string): void {
    if (this.#books.want(symbol)) this.#planAnew();
  }

  /** Computed answers rest on the books of these contracts. */
  prefer(symbols: readonly string[]): void {
    if (this.#books.prefer(symbols)) this.#planAnew();
  }

  stats(): BookReport {
    const stream = this.#transport?.stats();
    return {
      ...this.#books.stats(),
      stream: stream === undefined ? undefined : { ...stream, ...this.#streamStats },
      rest: { ...this.#restStats },
    };
  }

  /** A stream that nobody reads ends when load is shed, and comes back after it. */
  #followShedding(): void {
    const isShed = this.#options.coverage.isShed?.('unread_books') ?? false;
    if (isShed === this.#isShed) return;
    this.#isShed = isShed;
    this.#planAnew();
  }

  /** A fault in a feed's topics must end neither who reads books nor the passing of their time. */
  #planAnew(): void {
    try {
      this.refresh();
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      this.#options.feed.failed(STREAM_NAME, `topics failed (${reason})`);
    }
  }

  #bucket(): TokenBucket {
    const { adapter, books } = this.#options;
    const { pools } = adapter.budget;
    const name = books.rest?.pool;
    const pool = name === undefined ? pools[0] : pools.find((pool) => pool.name === name);
    const { limit, perMs } = pool ?? MODEST;
    return bookTokenBucket(limit, perMs, books.rest?.budgetShare ?? SHARE, books.rest?.weight ?? 1);
  }

  #makeTransport(): StreamTransport | undefined {
    const { books, plan, bases, clock, timer, random, logger, feed, stream: tuning } = this.#options;
    if (books.stream === undefined) return undefined;
    const stream: Stream = { ...books.stream, name: 'books', topics: (now) => this.#books.plan(now) };
    return new StreamTransport({
      ...tuning,
      stream,
      plan,
      bases,
      clock,
      timer,
      random,
      logger,
      sink: this.#sink(stream),
      line: this.#options.line,
      report: (reason) => {
        if (reason === undefined) feed.succeeded(STREAM_NAME);
        else feed.failed(STREAM_NAME, reason);
      },
    });
  }

  #sink(stream: Stream): FrameSink {
    const { feed } = this.#options;
    const books = this.#books;
    return {
      bytes: (bytes, at) => books.bytes(bytes, bytes.length, at),
      frame: (payload, at, connection) => {
        if (!books.counts(payload, at, connection)) return true;
        const { decoded, fault } = feed.read(stream.call, payload, at, undefined, this.#streamStats);
        books.decoded(decoded, at);
        const hasRest = feed.publish(STREAM_NAME, { ...decoded, books: [] }, at);
        if (fault !== undefined) feed.failed(STREAM_NAME, fault);
        else if (decoded.books.length > 0) feed.recovered(STREAM_NAME);
        return hasRest || decoded.books.length > 0;
      },
      subscribed: (topics, connection) => books.subscribed(topics, connection),
      lost: (topics, connection) => books.lost(topics, connection),
      ended: (connection) => books.ended(connection),
    };
  }

  async #fetch(
    contract: Instrument,
    bookRequest: BookRequest,
    isUrgent: boolean,
  ): Promise<FetchedBook | undefined> {
    const { books, request: send, feed } = this.#options;
    const { rest } = books;
    if (rest === undefined) return undefined;
    const request = { ...bookRequest.request(contract), symbol: contract.symbol };
    const priority = isUrgent ? PRIORITY.perContract : PRIORITY.backfill;
    const { pool } = rest;
    const terms = {
      pool,
      weight: bookRequest.weight,
      priority,
      maxBytes: BOOK_BOUND,
      kind: 'books' as const,
    };
    const outcome = await send(request, terms);
    if (!outcome.ok) {
      const { kind } = outcome.failure;
      if (kind !== 'aborted' && kind !== 'circuit_open') feed.failed(REST_NAME, outcome.failure.toString());
      return undefined;
    }
    const { payload, receivedAt } = outcome.value;
    const { decoded, fault } = feed.read(rest.call, payload, receivedAt, request, this.#restStats);
    if (fault === undefined) feed.succeeded(REST_NAME);
    else feed.failed(REST_NAME, fault);
    return { decoded: fault === undefined ? decoded : emptyDecoded(), receivedAt };
  }
}

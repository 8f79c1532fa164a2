import type { Clock } from '../../domain/clock.ts';
import type { Decoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { TokenBucket } from '../../runtime/token-bucket.ts';
import type { BookFeed, BookRequest, BookRest } from '../../venues/book-feed.ts';
import { BookFrame } from '../../venues/book-frame.ts';
import type { BookCounters } from './book-stats.ts';
import type { BookSubscription } from './book-subscription.ts';
import type { BookFault } from './book-sync.ts';
import { type Asked, compareBook } from './compare.ts';
import type { Resync } from './resync.ts';
import { SnapshotScheduler } from './snapshot-scheduler.ts';

/** A venue's answer, and the time it is of. */
export interface FetchedBook {
  readonly decoded: Decoded;
  readonly receivedAt: UnixMs;
}

export interface RestBooksOptions {
  readonly feed: BookFeed;
  readonly clock: Clock;
  readonly counters: BookCounters;
  readonly bucket: TokenBucket;
  readonly resync: Resync;
  readonly rotates: () => boolean;
  /** A REST snapshot; undefined where the request failed. Never rejects. */
  readonly fetch: (
    contract: Instrument,
    request: BookRequest,
    isUrgent: boolean,
  ) => Promise<FetchedBook | undefined>;
  readonly broken: (book: BookSubscription, fault: BookFault, now: number) => void;
}

/** REST snapshots of one venue: initial ones, comparisons, and polls of contracts without a stream. */
export class RestBooks {
  readonly #options: RestBooksOptions;
  readonly #scheduler: SnapshotScheduler;
  /** Reused for every response: nobody keeps it. */
  readonly #frame = new BookFrame();

  constructor(options: RestBooksOptions, rest: BookRest) {
    const { feed, bucket, rotates } = options;
    this.#options = options;
    this.#scheduler = new SnapshotScheduler({
      bucket,
      rest,
      rotates,
      compares: !feed.continuity.detectsLoss || feed.joinsLate === true,
      fetch: (book, request, isUrgent) => void this.#fetch(book, request, isUrgent),
    });
  }

  /** Requests an initial snapshot. */
  requestInitial(book: BookSubscription): void {
    this.#scheduler.requestInitial(book, this.#options.clock.now());
  }

  /** Starts what is due. */
  tick(books: readonly BookSubscription[], now: number): void {
    this.#scheduler.tick(books, now);
  }

  async #fetch(book: BookSubscription, request: BookRequest, isUrgent: boolean): Promise<void> {
    const { fetch, clock, counters } = this.#options;
    const applied = book.sync?.applied ?? 0;
    let at: UnixMs | undefined;
    let update: Decoded['books'][number] | undefined;
    try {
      const fetched = await fetch(book.contract, request, isUrgent);
      at = fetched?.receivedAt;
      update = fetched?.decoded.books.find(
        ({ symbol, kind }) => symbol === book.symbol && kind === 'snapshot',
      );
    } finally {
      this.#scheduler.done(book, clock.now(), update !== undefined);
    }
    if (book.isClosed) return;
    const now = clock.now();
    if (update === undefined || at === undefined) {
      counters.fetchFailures++;
      if (!book.isLive && book.sync !== undefined) this.#options.resync.again(book, now);
      return;
    }
    counters.fetched++;
    this.#frame.load(update);
    this.#use(book, this.#frame, request.levels, { applied, at, now });
  }

  #use(book: BookSubscription, frame: BookFrame, limit: number | undefined, asked: Asked): void {
    const { feed, resync, counters } = this.#options;
    const { sync, connection } = book;
    const { at, now } = asked;
    if (sync?.isLive === true) {
      this.#compare(book, frame, limit, asked);
      return;
    }
    // Without a connection nothing would keep it in order.
    if (sync === undefined || connection === undefined || feed.initialSnapshot === 'stream') {
      book.writer.replace(frame, at, { source: 'rest', limit });
      return;
    }
    const fault = sync.applySnapshot(frame, at, limit);
    if (fault === undefined) {
      resync.settled(book, now);
      return;
    }
    counters.breaks[fault]++;
    resync.again(book, now);
  }

  #compare(book: BookSubscription, frame: BookFrame, limit: number | undefined, asked: Asked): void {
    const { feed, counters, broken } = this.#options;
    const comparison = compareBook(book, frame, feed.continuity, asked);
    if (comparison === 'newer') {
      counters.undecided++;
      book.sync?.adoptSnapshot(frame, asked.at, limit);
      return;
    }
    counters[comparison]++;
    if (comparison === 'different') broken(book, 'different', asked.now);
  }
}

import type { TokenBucket } from '../../runtime/token-bucket.ts';
import type { BookRequest, BookRest } from '../../venues/book-feed.ts';
import type { BookSubscription } from './book-subscription.ts';

export interface SnapshotSchedulerOptions {
  readonly bucket: TokenBucket;
  readonly rest: BookRest;
  /** True if streamed books are compared on a schedule, for errors that their stream does not show. */
  readonly compares: boolean;
  /** True while books that nobody asked for have their turn. */
  readonly rotates: () => boolean;
  /** Requests the snapshot; `done` must follow. */
  readonly fetch: (book: BookSubscription, request: BookRequest, isUrgent: boolean) => void;
}

/** Concurrent requests of one venue. */
const MAX_CONCURRENT = 4;
/**
 * Concurrent requests of initial snapshots: where responses take seconds, fewer would limit how soon the books of a
 * venue start, and not the token bucket.
 */
const MAX_INITIAL_CONCURRENT = 16;
/** A requested book is polled this often. */
const WANTED_EVERY_MS = 5000;
/**
 * A book that computed answers use is polled in time to stay fresh. Where there are more of them than the token bucket
 * keeps fresh, the most valuable stay fresh and the others wait: in rotation each would be fresh for a while only, and
 * the answers that use them would come and go.
 */
const PREFERRED_EVERY_MS = 45_000;
/** The others: not sooner than this, and as the token bucket allows. */
const ROTATE_EVERY_MS = 30_000;
/** A broken stream has this long to recover before REST replaces it. */
const STREAM_GRACE_MS = 5000;
/** A streamed book without a message for this long is compared with REST. */
const QUIET_MS = 25_000;
/** A streamed book that may be wrong unnoticed is compared with REST this often. */
const COMPARE_EVERY_MS = 120_000;
/** Priority classes of requests, the most urgent first. */
const WANTED = 0;
const COMPARISON = 1;
const PREFERENCE = 2;
const ROTATION = 3;
/** Part of the token bucket that is reserved for more urgent classes. */
const RESERVED_ABOVE_WANTED = 0.25;
const RESERVED_ABOVE_ROTATION = 0.5;
const MAX_BACKOFF_MS = 600_000;

/**
 * Schedules REST snapshots: initial ones first, then requested books, comparisons, preferred books, and the rest
 * in rotation; in each class the books of priority assets first, which count as requested until they have come
 * once, and as preferred then.
 */
export class SnapshotScheduler {
  readonly #options: SnapshotSchedulerOptions;
  readonly #initialRequests = new Set<BookSubscription>();
  #inFlight = 0;

  constructor(options: SnapshotSchedulerOptions) {
    this.#options = options;
  }

  /** Queues an initial snapshot for a book that needs one. It goes first. */
  requestInitial(book: BookSubscription, now: number): void {
    book.isFetching = true;
    this.#initialRequests.add(book);
    this.#startInitial(now);
  }

  /** A request has ended. */
  done(book: BookSubscription, now: number, ok: boolean): void {
    this.#inFlight--;
    book.isFetching = false;
    book.restAt = ok ? now : book.restAt;
    book.restFailures = ok ? 0 : book.restFailures + 1;
    const rest = Math.min(MAX_BACKOFF_MS, WANTED_EVERY_MS * 2 ** book.restFailures);
    book.restFrom = ok ? now : now + rest;
    this.#startInitial(now);
  }

  /** Starts what is due and within the token bucket. */
  tick(books: readonly BookSubscription[], now: number): void {
    this.#startInitial(now);
    const { bucket, rest } = this.#options;
    while (this.#inFlight < MAX_CONCURRENT) {
      const filled = bucket.fillLevel(now);
      if (filled <= RESERVED_ABOVE_WANTED) return;
      const next = this.#mostDue(books, now, filled > RESERVED_ABOVE_ROTATION);
      if (next === undefined) return;
      const isShallow = next.sync === undefined && this.#classOf(next, now) === ROTATION;
      const request = isShallow ? (rest.shallow ?? rest) : rest;
      if (!bucket.take(request.weight, now)) return;
      next.isFetching = true;
      next.isShallow = isShallow;
      this.#start(next, request, false);
    }
  }

  #startInitial(now: number): void {
    const { bucket, rest } = this.#options;
    const isFirst = (book: BookSubscription): boolean => book.isPriority || book.isWanted(now);
    const queued = [...this.#initialRequests];
    for (const book of [...queued.filter(isFirst), ...queued.filter((other) => !isFirst(other))]) {
      if (this.#inFlight >= MAX_INITIAL_CONCURRENT || !bucket.take(rest.weight, now)) return;
      this.#initialRequests.delete(book);
      if (!book.isClosed) this.#start(book, rest, true);
    }
  }

  #start(book: BookSubscription, request: BookRequest, isUrgent: boolean): void {
    this.#inFlight++;
    this.#options.fetch(book, request, isUrgent);
  }

  /** The most overdue book of the first class that has one; among preferred books the most valuable. */
  #mostDue(books: readonly BookSubscription[], now: number, all: boolean): BookSubscription | undefined {
    let best: BookSubscription | undefined;
    let bestClass = Number.POSITIVE_INFINITY;
    for (const book of books) {
      if (book.isFetching || isResting(book, now)) continue;
      const rank = this.#classOf(book, now);
      if (rank === undefined || (rank > WANTED && !all)) continue;
      if (rank > bestClass) continue;
      if (rank === bestClass && best !== undefined && !precedes(book, best, rank)) continue;
      best = book;
      bestClass = rank;
    }
    return best;
  }

  /** The class of the book's next request; undefined where none is due. */
  #classOf(book: BookSubscription, now: number): number | undefined {
    if (book.isLive) return this.#isToCompare(book, now) ? COMPARISON : undefined;
    if (book.sync !== undefined && apart(now, book.brokenAt) < STREAM_GRACE_MS) return undefined;
    const age = apart(now, book.restAt);
    if (book.isPriority && !book.wasFetched) return WANTED;
    // A reader waits two seconds for all levels where too few were asked for.
    if (book.isWanted(now) && (book.isShallow || age >= WANTED_EVERY_MS)) return WANTED;
    if (book.isPriority || book.isNamed(now)) return age >= PREFERRED_EVERY_MS ? PREFERENCE : undefined;
    return age >= ROTATE_EVERY_MS && this.#options.rotates() ? ROTATION : undefined;
  }

  #isToCompare(book: BookSubscription, now: number): boolean {
    const since = apart(now, book.comparedAt);
    if (apart(now, book.messageAt) >= QUIET_MS && since >= QUIET_MS) return true;
    return this.#options.compares && since >= COMPARE_EVERY_MS;
  }
}

/** Without the sign: a clock that was set back keeps no book waiting until it is there again. */
const apart = (now: number, at: number): number => Math.abs(now - at);

/**
 * True while it pauses after failures; a longer pause than there is was begun before the clock was set back.
 */
const isResting = ({ restFrom }: BookSubscription, now: number): boolean =>
  now < restFrom && restFrom - now <= MAX_BACKOFF_MS;

/** True if a book of a class precedes another. */
function precedes(a: BookSubscription, b: BookSubscription, of: number): boolean {
  if (a.isPriority !== b.isPriority) return a.isPriority;
  if (of === PREFERENCE && a.preferredRank !== b.preferredRank) return a.preferredRank < b.preferredRank;
  return a.restAt < b.restAt;
}

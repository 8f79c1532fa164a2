import type { BookRequest, BookRest } from '../../venues/book-feed.ts';
import type { Allowance } from './allowance.ts';
import type { FollowedBook } from './followed-book.ts';

export interface RestTurnOptions {
  readonly allowance: Allowance;
  readonly rest: BookRest;
  /** Whether losing a message of the stream shows by itself. */
  readonly detectsLoss: boolean;
  /** Whether books that nobody asked for have their turn at present. */
  readonly rotates: () => boolean;
  /** Asks for the book; `done` must follow. */
  readonly fetch: (book: FollowedBook, request: BookRequest, isUrgent: boolean) => void;
}

/** Requests of one venue's books under way at a time. */
const LANES = 4;
/**
 * As many of books that broke: where answers take seconds the few lanes, and not the allowance, would say how soon the
 * books of a whole venue begin.
 */
const SEED_LANES = 16;
/** A book that was asked for lately is fetched anew after this time. */
const WANTED_EVERY_MS = 5000;
/**
 * A book that computed answers rest on is fetched anew in time to stay fresh. Where there are more of them than the
 * allowance keeps fresh, the most valuable stay and the others wait: in turn, each would be fresh for a while only, and
 * what rests on them would come and go.
 */
const PREFERRED_EVERY_MS = 45_000;
/** The others: not sooner than this, and as the allowance lasts. */
const ROTATE_EVERY_MS = 30_000;
/** A stream that broke is given this long before REST stands in for it. */
const STREAM_GRACE_MS = 5000;
/** A streamed book without a message for this long is held against REST. */
const QUIET_MS = 25_000;
/** A streamed book whose stream can lose messages unseen is held against REST this often. */
const COMPARE_EVERY_MS = 120_000;
/** What a book is due for, the most urgent first. */
const WANTED = 0;
const COMPARISON = 1;
const PREFERENCE = 2;
const ROTATION = 3;
/** Share of the allowance that is kept for what is more urgent. */
const KEPT_FROM_WANTED = 0.25;
const KEPT_FROM_ROTATION = 0.5;
const LONGEST_REST_MS = 600_000;

/** Whose turn it is over REST: breaks to mend, then what is asked for, comparisons, what answers rest on, and the rest in rotation. */
export class RestTurns {
  readonly #options: RestTurnOptions;
  readonly #seeds = new Set<FollowedBook>();
  #underWay = 0;

  constructor(options: RestTurnOptions) {
    this.#options = options;
  }

  /** A broken book needs a whole one. It goes first. */
  seed(book: FollowedBook, now: number): void {
    book.isFetching = true;
    this.#seeds.add(book);
    this.#startSeeds(now);
  }

  /** A request has ended. */
  done(book: FollowedBook, now: number, ok: boolean): void {
    this.#underWay--;
    book.isFetching = false;
    book.restAt = ok ? now : book.restAt;
    book.restFailures = ok ? 0 : book.restFailures + 1;
    const rest = Math.min(LONGEST_REST_MS, WANTED_EVERY_MS * 2 ** book.restFailures);
    book.restFrom = ok ? now : now + rest;
    this.#startSeeds(now);
  }

  /** Starts what is due and can be paid for. */
  tick(books: readonly FollowedBook[], now: number): void {
    this.#startSeeds(now);
    const { allowance, rest } = this.#options;
    while (this.#underWay < LANES) {
      const filled = allowance.filled(now);
      if (filled <= KEPT_FROM_WANTED) return;
      const next = this.#next(books, now, filled > KEPT_FROM_ROTATION);
      if (next === undefined) return;
      const isGlance = next.sync === undefined && this.#classOf(next, now) === ROTATION;
      const request = isGlance ? (rest.glance ?? rest) : rest;
      if (!allowance.take(request.weight, now)) return;
      next.isFetching = true;
      this.#start(next, request, false);
    }
  }

  #startSeeds(now: number): void {
    const { allowance, rest } = this.#options;
    for (const book of this.#seeds) {
      if (this.#underWay >= SEED_LANES || !allowance.take(rest.weight, now)) return;
      this.#seeds.delete(book);
      if (!book.isClosed) this.#start(book, rest, true);
    }
  }

  #start(book: FollowedBook, request: BookRequest, isUrgent: boolean): void {
    this.#underWay++;
    this.#options.fetch(book, request, isUrgent);
  }

  /** The book that is most overdue in the first class that has one; of those that answers rest on the most valuable. */
  #next(books: readonly FollowedBook[], now: number, all: boolean): FollowedBook | undefined {
    let best: FollowedBook | undefined;
    let bestClass = Number.POSITIVE_INFINITY;
    for (const book of books) {
      if (book.isFetching || now < book.restFrom) continue;
      const rank = this.#classOf(book, now);
      if (rank === undefined || (rank > WANTED && !all)) continue;
      if (rank > bestClass) continue;
      if (rank === bestClass && best !== undefined && !precedes(book, best, rank)) continue;
      best = book;
      bestClass = rank;
    }
    return best;
  }

  /** What the book is due for; undefined where it is for nothing. */
  #classOf(book: FollowedBook, now: number): number | undefined {
    if (book.isLive) return this.#isToCompare(book, now) ? COMPARISON : undefined;
    if (book.sync !== undefined && now - book.brokenAt < STREAM_GRACE_MS) return undefined;
    const age = now - book.restAt;
    if (book.isWanted(now) && age >= WANTED_EVERY_MS) return WANTED;
    if (book.isNamed(now)) return age >= PREFERRED_EVERY_MS ? PREFERENCE : undefined;
    return age >= ROTATE_EVERY_MS && this.#options.rotates() ? ROTATION : undefined;
  }

  #isToCompare(book: FollowedBook, now: number): boolean {
    const since = now - book.comparedAt;
    if (now - book.messageAt >= QUIET_MS && since >= QUIET_MS) return true;
    return !this.#options.detectsLoss && since >= COMPARE_EVERY_MS;
  }
}

/** Whether a book of a class has its turn before another. */
function precedes(a: FollowedBook, b: FollowedBook, of: number): boolean {
  if (of === PREFERENCE && a.preferredRank !== b.preferredRank) return a.preferredRank < b.preferredRank;
  return a.restAt < b.restAt;
}

import type { CollectLogger } from '../../../collect/logger.ts';
import type { BookWriter } from '../../../collect/ports.ts';
import { PRIORITY } from '../../../collect/priority.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { VenueId } from '../../../domain/venue.ts';
import { BOOK_FETCH_MS } from '../../../market/books/book-asks.ts';
import { type BookStore, createBookStore } from '../../../market/books/book-store.ts';
import { MINUTE_MS, SECOND_MS } from '../../../runtime/duration.ts';
import { reasonOf } from '../../../runtime/reason-of.ts';
import { BookFrame } from '../../../venues/book-frame.ts';
import type { SpotMarket } from '../../spot/spot-rows.ts';
import type { SpotTable } from '../market/spot-table.ts';
import type { AskSpot } from '../plan/ask-spot.ts';
import { readAnswer } from '../plan/read-answer.ts';
import type { BookPlan, SpotPlan } from '../plan/spot-plan.ts';
import { type SpotBookView, spotBookView } from './spot-book-view.ts';

/** A book that is read is asked for again after this time, and no sooner. */
const AGAIN_MS = 5 * SECOND_MS;
/** After failures it rests for so long at most. */
const MOST_REST_MS = 10 * MINUTE_MS;
/** A book that nobody has read for this time is given up. */
const KEPT_MS = 15 * MINUTE_MS;
/** A book that crossed says so for as long as it would have been served. */
const CROSSED_MS = MINUTE_MS;
/** Calls of one venue that may be under way: what is asked beyond them finds the next look of its reader. */
const MOST_CALLS = 8;

/** Counts of a venue's calls for books. */
export interface SpotBookCounts {
  read: number;
  failed: number;
}

export interface SpotBooksOptions {
  readonly plans: readonly SpotPlan[];
  readonly ask: Pick<AskSpot, 'ask'>;
  readonly spot: Pick<SpotTable, 'markets'>;
  readonly clock: Clock;
  readonly logger: CollectLogger;
  /** True while the process is to do less: then nothing new is asked. */
  readonly isHeld: () => boolean;
}

/** A book that was asked for. */
interface Followed {
  readonly writer: BookWriter;
  isFetching: boolean;
  /** When the last call began. */
  calledAt: number;
  wantedAt: number;
  /** From when on it may be asked for again. */
  restUntil: number;
  failures: number;
  /** When a book came whose sides cross; undefined where the last one was in order. */
  crossedAt: number | undefined;
}

const keyOf = (venue: VenueId, symbol: string): string => `${venue}\t${symbol}`;

/**
 * Books of spot markets, each fetched when somebody reads it: one call at a time for a market, however many read it, and none
 * within five seconds of the last. A call is waited for as long as those of perpetuals are, and a book is served for as long.
 */
export class SpotBooks {
  readonly #options: SpotBooksOptions;
  readonly #store: BookStore;
  readonly #view: SpotBookView;
  readonly #plans: ReadonlyMap<VenueId, SpotPlan>;
  readonly #followed = new Map<string, Followed>();
  readonly #underWay = new Map<VenueId, number>();
  readonly #counts = new Map<VenueId, SpotBookCounts>();
  readonly #calls = new Set<Promise<void>>();
  readonly #abort = new AbortController();
  /** Reused for every answer: nobody keeps it. */
  readonly #frame = new BookFrame();

  constructor(options: SpotBooksOptions) {
    this.#options = options;
    const { clock, plans } = options;
    this.#store = createBookStore({ clock, wanted: (venue, symbol) => this.#want(venue, symbol) });
    this.#view = spotBookView(this.#store.view, {
      isUnderWay: (venue, symbol) => this.#isUnderWay(venue, symbol),
      isCrossed: (venue, symbol) => this.#isWithin(this.#find(venue, symbol)?.crossedAt, CROSSED_MS),
    });
    this.#plans = new Map(plans.map((plan) => [plan.venue, plan]));
    for (const { venue } of plans) this.#counts.set(venue, { read: 0, failed: 0 });
  }

  get view(): SpotBookView {
    return this.#view;
  }

  get counts(): ReadonlyMap<VenueId, SpotBookCounts> {
    return this.#counts;
  }

  /** Books that are held. */
  get size(): number {
    return this.#followed.size;
  }

  /** Asks for nothing more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#calls);
  }

  #find(venue: VenueId, symbol: string): Followed | undefined {
    return this.#followed.get(keyOf(venue, symbol));
  }

  #isUnderWay(venue: VenueId, symbol: string): boolean {
    const book = this.#find(venue, symbol);
    return book?.isFetching === true && this.#isWithin(book.calledAt, BOOK_FETCH_MS);
  }

  #isWithin(since: number | undefined, ms: number): boolean {
    return since !== undefined && Math.abs(this.#options.clock.now() - since) < ms;
  }

  #want(venue: VenueId, symbol: string): void {
    const { clock, spot, isHeld } = this.#options;
    const plan = this.#plans.get(venue);
    const market = spot.markets(venue).get(symbol);
    if (plan === undefined || market === undefined || this.#abort.signal.aborted) return;
    const now = clock.now();
    const book = this.#follow(market, now);
    book.wantedAt = now;
    const isResting = now < book.restUntil && book.restUntil - now <= MOST_REST_MS;
    const underWay = this.#underWay.get(venue) ?? 0;
    if (book.isFetching || isResting || underWay >= MOST_CALLS || isHeld()) return;
    book.isFetching = true;
    book.calledAt = now;
    this.#underWay.set(venue, underWay + 1);
    const call = this.#fetch(plan, plan.book, market, book).finally(() => {
      this.#underWay.set(venue, (this.#underWay.get(venue) ?? 1) - 1);
      this.#calls.delete(call);
    });
    this.#calls.add(call);
  }

  #follow({ venue, symbol, base, ticker, quote }: SpotMarket, now: number): Followed {
    const key = keyOf(venue, symbol);
    const known = this.#followed.get(key);
    if (known !== undefined) return known;
    this.#giveUp(now);
    const names = { venue, symbol, base, ticker, quote, settle: quote };
    // The decoders take multipliers out.
    const contract = { ...names, multiplier: 1, contractSize: 1 };
    const writer = this.#store.bookSink.open(contract, { uncrosses: false });
    const times = { calledAt: now, wantedAt: now, restUntil: 0, crossedAt: undefined };
    const made: Followed = { writer, isFetching: false, failures: 0, ...times };
    this.#followed.set(key, made);
    return made;
  }

  #giveUp(now: number): void {
    for (const [key, { writer, wantedAt, isFetching }] of this.#followed) {
      if (isFetching || Math.abs(now - wantedAt) < KEPT_MS) continue;
      writer.close();
      this.#followed.delete(key);
    }
  }

  async #fetch(plan: SpotPlan, { of, levels }: BookPlan, market: SpotMarket, book: Followed): Promise<void> {
    const { clock, logger } = this.#options;
    let isRead = false;
    try {
      isRead = await this.#read(plan, of(market), levels, market.symbol, book);
    } catch (cause) {
      const { venue, symbol } = market;
      logger.warn({ venue, symbol, reason: reasonOf(cause) }, 'a spot book could not be read');
    }
    book.isFetching = false;
    book.failures = isRead ? 0 : book.failures + 1;
    book.restUntil = clock.now() + Math.min(MOST_REST_MS, AGAIN_MS * 2 ** book.failures);
    const counts = this.#counts.get(plan.venue);
    if (counts !== undefined) counts[isRead ? 'read' : 'failed'] += 1;
  }

  /** True if the venue answered with the market's book. */
  async #read(
    plan: SpotPlan,
    call: ReturnType<BookPlan['of']>,
    limit: number,
    symbol: string,
    book: Followed,
  ): Promise<boolean> {
    const { ask, spot } = this.#options;
    const outcome = await ask.ask(plan, call, this.#abort.signal, PRIORITY.perContract);
    if (!outcome.ok || this.#abort.signal.aborted) return false;
    const { payload, receivedAt } = outcome.value;
    const decoded = readAnswer(plan, call, payload, spot.markets(plan.venue));
    const update = decoded?.books.find((known) => known.symbol === symbol);
    if (update === undefined) return false;
    this.#frame.load(update);
    const condition = book.writer.replace(this.#frame, receivedAt, { source: 'rest', limit });
    book.crossedAt = condition === 'crossed' ? receivedAt : undefined;
    return true;
  }
}

import type { BookSink, BookWriter } from '../../collect/ports.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { MINUTE_MS } from '../../runtime/duration.ts';
import { BookAsks } from './book-asks.ts';
import type { BookQuote, BookSide, BookTop, BookView } from './book-view.ts';
import { fillPrice } from './fill.ts';
import { type BookTally, LiveBook } from './live-book.ts';
import type { PriceLevels } from './price-levels.ts';

/** A book quote counts for execution while it was confirmed within this time. */
const FRESH_BOOK_MS = MINUTE_MS;

/** A book seen longer ago than this is no evidence of still being empty. */
const KNOWN_EMPTY_MS = 300_000;

export interface BookStoreOptions {
  readonly clock: Clock;
  /** A book was read: those who fetch books may see to it. */
  readonly wanted?: (venue: VenueId, symbol: string) => void;
}

/** Memory of the books. */
export interface BookMemory {
  readonly books: number;
  readonly levels: number;
  /** Bytes held for levels. */
  readonly bytes: number;
}

/** All live books: `keeper` is what the collector writes, `view` what everything else reads. */
export interface BookStore {
  readonly bookSink: BookSink;
  readonly view: BookView;
  /** The quote of a contract for readers of all contracts: it does not mark the book as wanted. */
  peek(venue: VenueId, symbol: string): BookQuote | undefined;
  memory(): BookMemory;
}

/** Makes the store. It holds no timer and no socket. */
export function createBookStore(options: BookStoreOptions): BookStore {
  const table = new BookTable();
  const view = new Reader(table, options);
  return {
    bookSink: table,
    view,
    peek: (venue, symbol) => view.passive.quote(venue, symbol),
    memory: () => table.memory(),
  };
}

class BookTable implements BookSink {
  readonly tally: BookTally = { changes: 0 };
  readonly #venues = new Map<VenueId, Map<string, LiveBook>>();

  open(contract: Instrument, { uncrosses }: { readonly uncrosses: boolean }): BookWriter {
    const { venue, symbol } = contract;
    this.find(venue, symbol)?.close();
    const books = this.#venues.get(venue) ?? new Map<string, LiveBook>();
    this.#venues.set(venue, books);
    const made = new LiveBook(contract, uncrosses, this.tally, () => {
      if (books.get(symbol) === made) books.delete(symbol);
    });
    books.set(symbol, made);
    return made;
  }

  find(venue: VenueId, symbol: string): LiveBook | undefined {
    return this.#venues.get(venue)?.get(symbol);
  }

  ofVenue(venue: VenueId): Iterable<LiveBook> {
    return this.#venues.get(venue)?.values() ?? [];
  }

  memory(): BookMemory {
    let books = 0;
    let levels = 0;
    let bytes = 0;
    for (const venue of this.#venues.values()) {
      for (const { book } of venue.values()) {
        books++;
        levels += book.bids.count + book.asks.count;
        bytes += book.bytes;
      }
    }
    return { books, levels, bytes };
  }
}

class Reader implements BookView {
  readonly passive: BookView;
  readonly #table: BookTable;
  readonly #options: BookStoreOptions;
  /** Undefined where a read is no ask. */
  readonly #asks: BookAsks | undefined;
  /** Asks for more depth than there is. */
  readonly #deepAsks = new BookAsks();

  constructor(table: BookTable, options: BookStoreOptions, isPassive = false) {
    this.#table = table;
    this.#options = options;
    this.#asks = isPassive ? undefined : new BookAsks();
    this.passive = isPassive ? this : new Reader(table, { clock: options.clock }, true);
  }

  get version(): number {
    return this.#table.tally.changes;
  }

  quote(venue: VenueId, symbol: string): BookQuote | undefined {
    const live = this.#served(venue, symbol);
    const figures = live?.figures;
    if (live === undefined || figures === undefined) return undefined;
    const { confirmedAt, book } = live;
    const ageMs = this.#ageOf(confirmedAt);
    // Field by field: spreading records costs more than all of the measuring.
    return {
      venue,
      symbol,
      source: live.source,
      confirmedAt,
      ageMs,
      isFresh: ageMs <= FRESH_BOOK_MS,
      bestBid: figures.bestBid,
      bestAsk: figures.bestAsk,
      spreadBps: figures.spreadBps,
      bidDepthUsd: figures.bidDepthUsd,
      askDepthUsd: figures.askDepthUsd,
      maxFillableUsd: figures.maxFillableUsd,
      slippage1kBps: figures.slippage1kBps,
      slippage5kBps: figures.slippage5kBps,
      slippage10kBps: figures.slippage10kBps,
      bidSize: book.bids.bestSize,
      askSize: book.asks.bestSize,
    };
  }

  top(venue: VenueId, symbol: string): BookTop | undefined {
    const live = this.#served(venue, symbol);
    if (live === undefined) return undefined;
    const { source, confirmedAt, book } = live;
    const { bids, asks } = book;
    const ageMs = this.#ageOf(confirmedAt);
    return {
      venue,
      symbol,
      source,
      confirmedAt,
      ageMs,
      isFresh: ageMs <= FRESH_BOOK_MS,
      bestBid: bids.count === 0 ? undefined : bids.bestKey,
      bidSize: bids.count === 0 ? undefined : bids.bestSize,
      bestAsk: asks.count === 0 ? undefined : -asks.bestKey,
      askSize: asks.count === 0 ? undefined : asks.bestSize,
    };
  }

  fillPrice(venue: VenueId, symbol: string, side: 'sell' | 'buy', sizeUsd: number): number | undefined {
    const live = this.#served(venue, symbol);
    return live && fillPrice(side === 'sell' ? live.book.bids : live.book.asks, sizeUsd);
  }

  levels(venue: VenueId, symbol: string, most: number) {
    const live = this.#served(venue, symbol);
    if (live === undefined) return undefined;
    return { bids: bestLevels(live.book.bids, most), asks: bestLevels(live.book.asks, most) };
  }

  liveBooks(venue: VenueId): number {
    let count = 0;
    for (const live of this.#table.ofVenue(venue)) {
      if (live.isServed && this.#ageOf(live.confirmedAt) <= FRESH_BOOK_MS) count++;
    }
    return count;
  }

  emptySince(venue: VenueId, symbol: string): UnixMs | undefined {
    const live = this.#table.find(venue, symbol);
    if (live === undefined || this.#options.clock.now() - live.confirmedAt > KNOWN_EMPTY_MS) return undefined;
    return live.emptySince;
  }

  #served(venue: VenueId, symbol: string): LiveBook | undefined {
    this.#options.wanted?.(venue, symbol);
    const live = this.#table.find(venue, symbol);
    const served = live?.isServed === true ? live : undefined;
    if (served !== undefined && this.#ageOf(served.confirmedAt) <= FRESH_BOOK_MS) {
      this.#asks?.met(venue, symbol);
    } else this.#asks?.unmet(venue, symbol, this.#options.clock.now());
    return served;
  }

  isPending(venue: VenueId, symbol: string, usd = 0): boolean {
    if (this.#asks === undefined) return false;
    // A look is an ask, and finds out whether the book has come.
    const served = this.#served(venue, symbol);
    const now = this.#options.clock.now();
    return this.#asks.isPending(venue, symbol, now) || this.#isDeeperToCome(served, usd, now);
  }

  /** True of a snapshot that shows too little and was taken before anybody asked for more: one that is asked for has all levels. */
  #isDeeperToCome(live: LiveBook | undefined, usd: number, now: number): boolean {
    if (live?.source !== 'rest') return false;
    const { figures, confirmedAt, contract } = live;
    if (Math.min(figures?.bidDepthUsd ?? 0, figures?.askDepthUsd ?? 0) >= usd) return false;
    const { venue, symbol } = contract;
    this.#deepAsks.unmet(venue, symbol, now);
    const since = this.#deepAsks.since(venue, symbol) ?? now;
    return confirmedAt <= since && this.#deepAsks.isPending(venue, symbol, now);
  }

  /** One that was confirmed before the clock was set back is of an unknown age: it is as old as the clock was set. */
  #ageOf(confirmedAt: number): number {
    return Math.abs(this.#options.clock.now() - confirmedAt);
  }
}

function bestLevels(side: PriceLevels, most: number): BookSide {
  const count = Math.min(most, side.count);
  return Array.from({ length: count }, (_, rank) => [side.sign * side.keyAt(rank), side.sizeAt(rank)]);
}

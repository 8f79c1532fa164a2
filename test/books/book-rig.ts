import type { FetchedBook } from '../../src/collect/books/rest-books.ts';
import { VenueBooks } from '../../src/collect/books/venue-books.ts';
import type { IsShed } from '../../src/collect/load-shedding.ts';
import { type Decoded, emptyDecoded } from '../../src/domain/decoded.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { asMs } from '../../src/domain/units.ts';
import { type BookStore, createBookStore } from '../../src/market/books/book-store.ts';
import { TokenBucket } from '../../src/runtime/token-bucket.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';
import type { BookFeed, BookRequest } from '../../src/venues/book-feed.ts';
import { literal } from '../../src/venues/frame-scanner.ts';
import { ManualTime, settled } from '../collect/manual-time.ts';
import type { PlainLevels } from './plain-book.ts';

/** A snapshot over REST that was asked for and waits for its answer. */
export interface Ask {
  readonly symbol: string;
  readonly request: BookRequest;
  readonly isUrgent: boolean;
  /** Answers with this payload, which the venue's own decoder reads; undefined fails. */
  readonly answer: (payload: unknown) => Promise<void>;
}

export interface RigOptions {
  readonly mostStreamed?: number;
  /** Weight a second that REST may spend; plenty by default. */
  readonly restPerSecond?: number;
  /** Work that is shed because the machine is too slow. */
  readonly isShed?: IsShed;
  /** Tickers whose books come first. */
  readonly priorityTickers?: ReadonlySet<string>;
}

export function contract(venue: string, symbol: string, more: Partial<Instrument> = {}): Instrument {
  const names = { base: symbol, ticker: symbol, quote: 'USDT', settle: 'USDT' };
  return { venue, symbol, ...names, multiplier: 1, contractSize: 1, ...more };
}

/** A venue's books without its socket: frames are handed in, what is asked of the venue is written down. */
export class BookRig {
  readonly time = new ManualTime();
  readonly store: BookStore;
  readonly books: VenueBooks;
  /** Topics subscribed to again, in order. */
  readonly renewed: string[] = [];
  readonly asks: Ask[] = [];
  readonly #feed: BookFeed;
  readonly #venue = 'v';
  #contracts: readonly Instrument[] = [];

  constructor(feed: BookFeed, options: RigOptions = {}) {
    const { mostStreamed = 100, restPerSecond = 1e6, isShed, priorityTickers } = options;
    const { clock } = this.time;
    this.#feed = feed;
    this.store = createBookStore({ clock, wanted: (_, symbol) => this.books.want(symbol) });
    this.books = new VenueBooks({
      feed,
      clock,
      mostStreamed,
      isShed,
      priorityTickers,
      bookSink: this.store.bookSink,
      bucket: new TokenBucket(restPerSecond, 1000),
      renew: (topics) => {
        this.renewed.push(...topics);
        if (feed.stream?.renewal === 'connection') this.books.lost(topics, 1);
        this.books.subscribed(topics, 1);
      },
      fetch: (instrument, request, isUrgent) => this.#ask(instrument, request, isUrgent),
    });
  }

  /** Lists these contracts, most traded first. Returns the topics to follow. */
  list(...contracts: readonly (string | Instrument)[]): readonly string[] {
    this.#contracts = contracts.map((entry) =>
      typeof entry === 'string' ? contract(this.#venue, entry) : entry,
    );
    return this.books.plan({ instruments: this.#contracts, now: asMs(this.time.now) });
  }

  /** Lists the contracts and subscribes to all their topics on connection 1. */
  follow(...contracts: readonly (string | Instrument)[]): void {
    this.books.subscribed(this.list(...contracts), 1);
  }

  /** A frame of the stream as it arrives. Returns whether the scanner took it. */
  push(text: string, connection = 1): boolean {
    const now = asMs(this.time.now);
    const bytes = literal(text);
    if (this.books.bytes(bytes, bytes.length, now)) return true;
    const payload: unknown = JSON.parse(text);
    if (this.books.counts(payload, now, connection)) this.books.decoded(this.decode(payload), now);
    return false;
  }

  /** Decodes a frame with the feed's decoder. */
  decode(payload: unknown): Decoded {
    return this.#feed.stream?.call.decode(payload, this.#context()) ?? emptyDecoded();
  }

  /** Lets time pass in steps of a tick. */
  pass(ms: number): void {
    for (let left = ms; left > 0; left -= 250) {
      this.time.jump(Math.min(250, left));
      this.books.tick();
    }
  }

  /** The one ask that waits. */
  ask(): Ask {
    const [ask, ...others] = this.asks;
    if (ask === undefined || others.length > 0) throw new Error(`${this.asks.length} asks wait`);
    return ask;
  }

  /** Levels that are served; undefined where the book is not. */
  levels(symbol: string): PlainLevels | undefined {
    return this.store.view.levels(this.#venueOf(symbol), symbol, 1e6);
  }

  quote(symbol: string) {
    return this.store.view.quote(this.#venueOf(symbol), symbol);
  }

  #venueOf(symbol: string): string {
    return this.#contracts.find((contract) => contract.symbol === symbol)?.venue ?? this.#venue;
  }

  #context() {
    return { instruments: new Map(this.#contracts.map((contract) => [contract.symbol, contract])) };
  }

  #ask(instrument: Instrument, request: BookRequest, isUrgent: boolean): Promise<FetchedBook | undefined> {
    return new Promise((resolve) => {
      const { symbol } = instrument;
      const answer = async (payload: unknown): Promise<void> => {
        this.asks.splice(this.asks.indexOf(ask), 1);
        const context = { ...this.#context(), request: { ...request.request(instrument), symbol } };
        const decoded = payload === undefined ? undefined : this.#feed.rest?.call.decode(payload, context);
        resolve(decoded && { decoded, receivedAt: asMs(this.time.now) });
        await settled();
      };
      const ask: Ask = { symbol, request, isUrgent, answer };
      this.asks.push(ask);
    });
  }
}

/** A rig that follows these contracts of the venue. Throws where it has no books. */
export function rigOf(
  { books }: Pick<VenueAdapter, 'books'>,
  ...contracts: readonly (Instrument | string)[]
): BookRig {
  if (books === undefined) throw new Error('no books');
  const rig = new BookRig(books);
  rig.follow(...contracts);
  return rig;
}

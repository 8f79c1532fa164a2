import type { CollectLogger } from '../collect/logger.ts';
import type { BookSink, DataStore, MarketSink, PaymentSink } from '../collect/ports.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { TableSink, TellChange, TellRelisted } from '../market/intake.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { heardBook } from './heard-book.ts';
import type { TapeListener } from './listener.ts';

/** Receivers of decoded data: what a collector writes, and what a feed that is followed fills. */
export interface Sinks {
  readonly market: MarketSink;
  readonly books: BookSink;
  readonly payments: PaymentSink;
}

export interface TapeOptions {
  readonly table: TableSink;
  readonly books: BookSink;
  readonly logger: CollectLogger;
}

/** A listener with its name and the times that it failed. */
interface Entry {
  readonly name: string;
  readonly listener: TapeListener;
  faults: number;
}

type Hearing<Event extends keyof TapeListener> = Entry & {
  readonly listener: Required<Pick<TapeListener, Event>>;
};

/**
 * Gives what was decoded once to all who listen, in order: to the table or the books, then to the listeners as they were added. What
 * the table or a book throws is the caller's, and of what they did not take no listener hears.
 */
export class Tape {
  readonly sinks: Sinks;
  readonly #options: TapeOptions;
  readonly #entries: Entry[] = [];
  readonly #stores: DataStore[] = [];
  /** Those of what is told most often, so that a patch or a book that nobody listens to costs nothing. */
  readonly #ofChanges: Hearing<'changed'>[] = [];
  readonly #ofBooks: Hearing<'book'>[] = [];

  constructor(options: TapeOptions) {
    this.#options = options;
    this.sinks = {
      market: this.#marketSink(),
      books: { open: (contract, given) => this.#openBook(contract, given) },
      payments: (venue, funding, at) => this.#tell((listener) => listener.payments?.(venue, funding, at)),
    };
  }

  /**
   * Adds a listener behind those that are there. Listeners are added before collecting begins: a later one is told of nothing that came
   * before, nor of books that are open.
   *
   * @param name names it in the log and the counts
   */
  listen(name: string, listener: TapeListener): void {
    const entry: Entry = { name, listener, faults: 0 };
    this.#entries.push(entry);
    if (hears(entry, 'changed')) this.#ofChanges.push(entry);
    if (hears(entry, 'book')) this.#ofBooks.push(entry);
    const { store } = listener;
    if (store === undefined) return;
    this.#stores.push({
      kinds: store.kinds,
      take: (venue, decoded, at) => this.#guard(entry, () => store.take(venue, decoded, at)),
    });
  }

  /** Times that each listener failed, by its name, since start. */
  faults(): ReadonlyMap<string, number> {
    return new Map(this.#entries.map(({ name, faults }) => [name, faults]));
  }

  #marketSink(): MarketSink {
    const { table } = this.#options;
    return {
      venue: (info, refreshMs) => {
        table.venue(info, refreshMs);
        this.#tell((listener) => listener.venue?.(info, refreshMs));
      },
      instruments: (venue, list, at) => {
        table.instruments(venue, list, at, this.#relisted);
        this.#tell((listener) => listener.instruments?.(venue, list, at));
      },
      quotes: (venue, patches, at) => {
        table.quotes(venue, patches, at, this.#ofChanges.length === 0 ? undefined : this.#changed);
        this.#tell((listener) => listener.quotes?.(venue, patches, at));
      },
      stores: this.#stores,
    };
  }

  #openBook(contract: Instrument, given: Parameters<BookSink['open']>[1]) {
    const writer = this.#options.books.open(contract, given);
    return this.#ofBooks.length === 0 ? writer : heardBook(writer, () => this.#bookChanged(contract));
  }

  readonly #relisted: TellRelisted = (before, after) =>
    this.#tell((listener) => listener.relisted?.(before, after));

  /** Some thousand times a second: nothing is allocated here. */
  readonly #changed: TellChange = (state, change) => {
    for (const entry of this.#ofChanges) {
      try {
        entry.listener.changed(state, change);
      } catch (cause) {
        this.#failed(entry, cause);
      }
    }
  };

  #bookChanged(contract: Instrument): void {
    for (const entry of this.#ofBooks) {
      try {
        entry.listener.book(contract);
      } catch (cause) {
        this.#failed(entry, cause);
      }
    }
  }

  #tell(tell: (listener: TapeListener) => void): void {
    for (const entry of this.#entries) this.#guard(entry, () => tell(entry.listener));
  }

  #guard(entry: Entry, run: () => void): void {
    try {
      run();
    } catch (cause) {
      this.#failed(entry, cause);
    }
  }

  /** Says so at the first fault and whenever the count has doubled: a listener that always fails must not fill the log. */
  #failed(entry: Entry, cause: unknown): void {
    entry.faults += 1;
    const { name: listener, faults } = entry;
    if ((faults & (faults - 1)) !== 0) return;
    this.#options.logger.warn({ listener, faults, reason: reasonOf(cause) }, 'a listener of the tape failed');
  }
}

const hears = <Event extends keyof TapeListener>(entry: Entry, event: Event): entry is Hearing<Event> =>
  entry.listener[event] !== undefined;

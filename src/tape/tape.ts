import type { CollectLogger } from '../collect/logger.ts';
import type { BookSink, DataStore, MarketSink, PaymentSink } from '../collect/ports.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { VenueId, VenueInfo } from '../domain/venue.ts';
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

interface Entry {
  readonly name: string;
  readonly listener: TapeListener;
}

type Hearing<Event extends keyof TapeListener> = Entry & {
  readonly listener: Required<Pick<TapeListener, Event>>;
};

/**
 * Gives decoded data once to all who listen, in order: to the table or the books, then to the listeners as they were added. Exceptions
 * of the table or a book reach the caller, and no listener hears of data that they did not take.
 */
export class Tape {
  readonly sinks: Sinks;
  readonly #options: TapeOptions;
  #entries: readonly Entry[] = [];
  #stores: readonly DataStore[] = [];
  /** The last announcement of each venue. */
  readonly #venues = new Map<VenueId, { readonly info: VenueInfo; readonly refreshMs: number }>();
  /** Apart from the others, so that a patch or a book that nobody listens to costs nothing. */
  #ofChanges: readonly Hearing<'changed'>[] = [];
  #ofBooks: readonly Hearing<'book'>[] = [];
  /** Of each listener by its name, also of those that have ended. */
  readonly #faults = new Map<string, number>();

  constructor(options: TapeOptions) {
    this.#options = options;
    this.sinks = {
      market: this.#marketSink(),
      books: { open: (contract, given) => this.#openBook(contract, given) },
      payments: (venue, funding, at) => this.#tell((listener) => listener.payments?.(venue, funding, at)),
    };
  }

  /**
   * Adds a listener behind those that are there, and tells it of the venues that are tracked by now. Listeners are added before
   * collecting begins: of other data that came before it a listener hears nothing, nor of books that are open.
   *
   * @param name names it in the log and the counts
   * @returns ends it: it hears nothing more
   */
  listen(name: string, listener: TapeListener): () => void {
    const entry: Entry = { name, listener };
    this.#faults.set(name, this.#faults.get(name) ?? 0);
    this.#hear([...this.#entries, entry]);
    for (const { info, refreshMs } of this.#venues.values())
      this.#guard(entry, () => listener.venue?.(info, refreshMs));
    return () => this.#hear(this.#entries.filter((other) => other !== entry));
  }

  /** Times that each listener failed, by its name, since start. */
  faults(): ReadonlyMap<string, number> {
    return this.#faults;
  }

  #hear(entries: readonly Entry[]): void {
    this.#entries = entries;
    this.#ofChanges = entries.filter((entry) => hears(entry, 'changed'));
    this.#ofBooks = entries.filter((entry) => hears(entry, 'book'));
    this.#stores = entries.flatMap((entry) => this.#storeOf(entry) ?? []);
  }

  #storeOf(entry: Entry): DataStore | undefined {
    const { store } = entry.listener;
    return (
      store && {
        kinds: store.kinds,
        take: (venue, decoded, at) => this.#guard(entry, () => store.take(venue, decoded, at)),
      }
    );
  }

  #marketSink(): MarketSink {
    const { table } = this.#options;
    const stores = (): readonly DataStore[] => this.#stores;
    return {
      venue: (info, refreshMs) => {
        table.venue(info, refreshMs);
        this.#venues.set(info.id, { info, refreshMs });
        this.#tell((listener) => listener.venue?.(info, refreshMs));
      },
      instruments: (venue, list, at, report) => {
        table.instruments(venue, list, at, report, this.#relisted);
        this.#tell((listener) => listener.instruments?.(venue, list, at, report));
      },
      quotes: (venue, patches, at) => {
        table.quotes(venue, patches, at, this.#ofChanges.length === 0 ? undefined : this.#changed);
        this.#tell((listener) => listener.quotes?.(venue, patches, at));
      },
      get stores() {
        return stores();
      },
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
  #failed({ name: listener }: Entry, cause: unknown): void {
    const faults = (this.#faults.get(listener) ?? 0) + 1;
    this.#faults.set(listener, faults);
    if ((faults & (faults - 1)) !== 0) return;
    this.#options.logger.warn({ listener, faults, reason: reasonOf(cause) }, 'a listener of the tape failed');
  }
}

const hears = <Event extends keyof TapeListener>(entry: Entry, event: Event): entry is Hearing<Event> =>
  entry.listener[event] !== undefined;

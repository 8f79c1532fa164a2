import type { CollectLogger } from '../collect/logger.ts';
import type { BookWriter, DataStore } from '../collect/ports.ts';
import type { Clock } from '../domain/clock.ts';
import type { VenueId } from '../domain/venue.ts';
import { reasonOf } from '../runtime/reason-of.ts';
import { readLevels } from './book-levels.ts';
import type { Ask } from './message.ts';
import type { FeedSource, Leases, Sinks } from './ports.ts';
import { VenuePublisher } from './venue-publisher.ts';

export interface PublisherOptions {
  readonly leases: Leases;
  readonly source: FeedSource;
  /** Sends one message of a venue, or throws. */
  readonly send: (venue: VenueId, message: string) => void;
  readonly clock: Clock;
  /** Monotonic clock, ms. */
  readonly elapsed: () => number;
  readonly logger: CollectLogger;
}

/** A collector's side of the feed: publishes what its own sinks receive of the venues whose lease it holds, and nothing of others. */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #venues = new Map<VenueId, VenuePublisher>();
  readonly #failing = new Set<VenueId>();

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** The sinks to collect into: everything reaches `local` first. */
  sinks(local: Sinks): Sinks {
    const { market, books, payments } = local;
    const past: DataStore = {
      kinds: ['funding', 'history'],
      take: (venue, { funding, history }, at) => this.#of(venue).add({ kind: 'past', funding, history, at }),
    };
    return {
      market: {
        venue: (info, refreshMs) => {
          market.venue(info, refreshMs);
          // As the table has it: with the number that a found venue was given here.
          this.#of(info.id).add({
            kind: 'venue',
            info: this.#options.source.state(info.id)?.info ?? info,
            refreshMs,
          });
        },
        instruments: (venue, list, at) => {
          market.instruments(venue, list, at);
          const outbox = this.#of(venue);
          outbox.addInstruments(list, at);
          // A process with nothing to publish leaves the lease to others.
          if (list.length > 0) this.#options.leases.campaign(venue, (epoch) => outbox.begin(epoch));
        },
        quotes: (venue, patches, at) => {
          market.quotes(venue, patches, at);
          this.#of(venue).add({ kind: 'quotes', patches, at });
        },
        stores: [...(market.stores ?? []), past],
      },
      books: {
        open: (contract, options) => {
          const outbox = this.#of(contract.venue);
          return noted(books.open(contract, options), () => outbox.touch(contract.symbol));
        },
      },
      payments: (venue, funding, at) => {
        payments(venue, funding, at);
        this.#of(venue).add({ kind: 'payments', funding, at });
      },
    };
  }

  /** Sends what is due. Call it some forty times a second. */
  tick(): void {
    for (const [venue, outbox] of this.#venues) {
      try {
        outbox.tick();
        this.#failing.delete(venue);
      } catch (cause) {
        outbox.restart();
        if (!this.#failing.has(venue))
          this.#options.logger.warn({ venue, reason: reasonOf(cause) }, 'venue is not published');
        this.#failing.add(venue);
      }
    }
  }

  /** Answers the sellers' requests, as far as this process holds the lease. */
  asked({ snapshots = [], books = {}, epochs = {} }: Ask): void {
    for (const [venue, epoch] of Object.entries(epochs)) this.#options.leases.heard(venue, epoch);
    for (const [venue, outbox] of this.#venues) {
      if (snapshots === 'all' || snapshots.includes(venue)) outbox.wantSnapshot();
    }
    for (const [venue, symbols] of Object.entries(books)) {
      if (this.#options.leases.epoch(venue) === undefined) continue;
      for (const symbol of symbols) this.#options.source.want(venue, symbol);
    }
  }

  /** Characters of changes of each venue since start. */
  changes(): ReadonlyMap<VenueId, number> {
    return new Map([...this.#venues].map(([venue, outbox]) => [venue, outbox.changes]));
  }

  /** Recent messages may not have arrived: readers get all of them again. */
  restart(): void {
    for (const outbox of this.#venues.values()) outbox.restart();
  }

  #of(venue: VenueId): VenuePublisher {
    const known = this.#venues.get(venue);
    if (known !== undefined) return known;
    const { leases, source, send, clock, elapsed } = this.#options;
    const made = new VenuePublisher({
      epoch: () => leases.epoch(venue),
      state: () => source.state(venue),
      health: () => source.health.of(venue),
      book: (symbol) => readLevels(source.books, venue, symbol),
      send: (message) => send(venue, message),
      now: () => clock.now(),
      elapsed,
    });
    this.#venues.set(venue, made);
    return made;
  }
}

/** The writer of a book, telling after each change that there was one. */
function noted(writer: BookWriter, changed: () => void): BookWriter {
  const after = <T>(result: T): T => {
    changed();
    return result;
  };
  return {
    replace: (frame, at, origin) => after(writer.replace(frame, at, origin)),
    apply: (frame, at) => after(writer.apply(frame, at)),
    confirm: (at) => after(writer.confirm(at)),
    invalidate: () => after(writer.invalidate()),
    compare: (frame) => writer.compare(frame),
    close: () => after(writer.close()),
  };
}

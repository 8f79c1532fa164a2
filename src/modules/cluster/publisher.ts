import type { CollectLogger } from '../../collect/logger.ts';
import type { DataStore } from '../../collect/ports.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { ListReport } from '../../domain/list-report.ts';
import type { FundingPoint, QuotePatch } from '../../domain/quote.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { VenueId, VenueInfo } from '../../domain/venue.ts';
import type { FeedSource, Leases } from '../../feed/ports.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import type { TapeListener } from '../../tape/listener.ts';
import { readLevels } from './book-levels.ts';
import type { Ask } from './message.ts';
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

/** A collector's side of the feed: publishes what it hears of the venues whose lease it holds, and nothing of others. */
export class Publisher implements TapeListener {
  readonly #options: PublisherOptions;
  readonly #venues = new Map<VenueId, VenuePublisher>();
  readonly #failing = new Set<VenueId>();
  readonly store: DataStore = {
    kinds: ['funding', 'history'],
    take: (venue, { funding, history }, at) => this.#of(venue).add({ kind: 'past', funding, history, at }),
  };

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  venue(info: VenueInfo, refreshMs: number): void {
    // As the table has it: with the number that a found venue was given here.
    const known = this.#options.source.state(info.id)?.info ?? info;
    this.#of(info.id).add({ kind: 'venue', info: known, refreshMs });
  }

  instruments(venue: VenueId, list: readonly Instrument[], at: UnixMs, report?: ListReport): void {
    const outbox = this.#of(venue);
    outbox.addInstruments(list, at, report);
    // A process with nothing to publish leaves the lease to others.
    if (list.length > 0) this.#options.leases.campaign(venue, (epoch) => outbox.begin(epoch));
  }

  quotes(venue: VenueId, patches: readonly QuotePatch[], at: UnixMs): void {
    this.#of(venue).add({ kind: 'quotes', patches, at });
  }

  book({ venue, symbol }: Instrument): void {
    this.#of(venue).touch(symbol);
  }

  payments(venue: VenueId, funding: readonly FundingPoint[], at: UnixMs): void {
    this.#of(venue).add({ kind: 'payments', funding, at });
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

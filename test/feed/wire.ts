import { silentLogger } from '../../src/collect/logger.ts';
import { asMs, asPrice } from '../../src/domain/units.ts';
import { emptyFeedCounts, type Followed, type Leases } from '../../src/feed/ports.ts';
import { makeInstrument, makeVenueInfo } from '../../src/market/market-fixture.ts';
import { FIXTURE_NOW } from '../../src/market/row-fixture.ts';
import { Follower } from '../../src/modules/cluster/follower.ts';
import type { Ask } from '../../src/modules/cluster/message.ts';
import { Publisher } from '../../src/modules/cluster/publisher.ts';
import { type CollectingHost, collecting, type Host, live, selling } from './feed-hosts.ts';

export const VENUE = 'okx';
export const CONTRACTS = ['BTC', 'ETH', 'SOL'].map((base) => makeInstrument({ venue: VENUE, base }));
export const SIDES = { bids: [[59_999, 1]], asks: [[60_001, 1]] } as const;
export const [BTC] = CONTRACTS as [ReturnType<typeof makeInstrument>];

interface Collector extends CollectingHost {
  readonly publisher: Publisher;
  /** Gives it the lease, as its server would. */
  take(epoch: number): void;
  /** Ends the lease without telling: `until` it is over, the process believes to have it. */
  readonly lease: { epoch: number | undefined };
  mark(symbol: string, price: number): void;
}

export type Seller = Host & { readonly followed: Followed };

/** Collectors and sellers on a wire and a clock that the test owns. */
export class Wire {
  /** Sent and not delivered yet. */
  readonly sent: string[] = [];
  /** Number of announced books. */
  books = 0;
  readonly asks: Ask[] = [];
  readonly counts = emptyFeedCounts();
  readonly follower: Follower;
  readonly seller: Seller;
  #time = 0;
  readonly clock = { now: () => asMs(FIXTURE_NOW + this.#time) };
  readonly #collectors: Collector[] = [];
  readonly #followers: Follower[] = [];

  constructor() {
    this.seller = this.join(this.counts);
    const [follower] = this.#followers;
    if (follower === undefined) throw new Error('no follower');
    this.follower = follower;
  }

  /** A seller more. */
  join(counts = emptyFeedCounts()): Seller {
    return selling(this.clock, (into) => {
      const follower = new Follower({
        into,
        clock: this.clock,
        elapsed: () => this.#time,
        counts,
        logger: silentLogger,
        ask: (ask) => this.asks.push(ask),
      });
      this.#followers.push(follower);
      return follower;
    });
  }

  collector(): Collector {
    const lease: { epoch: number | undefined } = { epoch: undefined };
    let taken: (epoch: number) => void = () => {};
    const leases: Leases = {
      campaign: (_, told) => {
        taken = told;
      },
      epoch: () => lease.epoch,
      heard: (_, epoch) => {
        if (lease.epoch !== undefined && lease.epoch < epoch) made.take(epoch + 1);
      },
      held: () => (lease.epoch === undefined ? [] : [VENUE]),
      close: async () => {},
    };
    let publisher: Publisher | undefined;
    const host = collecting(this.clock, (source) => {
      publisher = new Publisher({
        leases,
        source,
        clock: this.clock,
        elapsed: () => this.#time,
        logger: silentLogger,
        send: (_, message) => {
          this.sent.push(message);
          this.books += message.split('"kind":"book"').length - 1;
        },
      });
      return publisher;
    });
    host.says.set(VENUE, live(VENUE, this.clock));
    host.sinks.market.venue(makeVenueInfo({ id: VENUE }), 5000);
    host.sinks.market.instruments(VENUE, CONTRACTS, this.clock.now());
    const made: Collector = {
      ...host,
      publisher: publisher as unknown as Publisher,
      lease,
      take: (epoch) => {
        lease.epoch = epoch;
        taken(epoch);
      },
      mark: (symbol, price) =>
        host.sinks.market.quotes(VENUE, [{ symbol, markPrice: asPrice(price) }], this.clock.now()),
    };
    this.#collectors.push(made);
    return made;
  }

  /** Delivers what was sent, the messages that `lost` names by their place left out. */
  deliver(lost: (place: number) => boolean = () => false): void {
    for (const [place, message] of this.sent.splice(0).entries())
      if (!lost(place)) for (const follower of this.#followers) follower.take(VENUE, message);
    for (const ask of this.asks.splice(0)) for (const one of this.#collectors) one.publisher.asked(ask);
  }

  /** Lets time pass as the loops of both sides see it, 25 ms at a time. */
  pass(ms: number, lost?: (place: number) => boolean): void {
    for (let left = ms; left > 0; left -= 25) {
      this.#time += 25;
      for (const { publisher } of this.#collectors) publisher.tick();
      this.deliver(lost);
      for (const follower of this.#followers) follower.tick();
    }
  }

  /** Lets time pass for collectors, while sellers neither read nor tick. */
  pause(ms: number): void {
    for (let left = ms; left > 0; left -= 25) {
      this.#time += 25;
      for (const { publisher } of this.#collectors) publisher.tick();
    }
  }

  markOf(symbol: string): number | undefined {
    return this.seller.market.view.contract(VENUE, symbol)?.markPrice;
  }

  statusOf(): string | undefined {
    return this.seller.followed.health.of(VENUE)?.status;
  }
}

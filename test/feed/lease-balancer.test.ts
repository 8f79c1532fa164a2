import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/collect/logger.ts';
import type { VenueStatus } from '../../src/domain/venue.ts';
import { emptyFeedCounts, type FeedCounts } from '../../src/feed/ports.ts';
import { FIXTURE_NOW } from '../../src/market/row-fixture.ts';
import { type CollectorGossip, readGossip } from '../../src/modules/cluster/collector-gossip.ts';
import { LeaseBalancer } from '../../src/modules/cluster/lease-balancer.ts';
import { live } from './feed-hosts.ts';

const VENUES = ['bitget', 'bybit', 'kraken', 'okx'];
const clock = { now: () => FIXTURE_NOW };

/** A collector whose leases, reach and cost the test owns. */
interface Collector {
  readonly held: Set<string>;
  /** Epochs of others. */
  readonly heard: Record<string, number>;
  readonly status: Map<string, VenueStatus>;
  readonly counts: FeedCounts;
  readonly balancer: LeaseBalancer;
  isOverloaded: boolean;
}

/** Collectors that hear each other, and a clock. */
class Talking {
  #time = 0;
  #said: CollectorGossip[] = [];
  readonly #all = new Map<string, Collector>();
  /** True while its messages are heard. */
  isOpen = true;

  join(name: string, held: readonly string[] = []): Collector {
    const made = {
      held: new Set(held),
      heard: {} as Record<string, number>,
      status: new Map<string, VenueStatus>(),
      counts: emptyFeedCounts(),
    };
    const leases = {
      campaign: () => {},
      epoch: (venue: string) => (made.held.has(venue) ? 1 : undefined),
      heard: (venue: string, epoch: number) => {
        made.heard[venue] = epoch;
      },
      held: () => [...made.held],
      close: async () => {},
      give: (venue: string) => (made.held.delete(venue) ? 7 : undefined),
      accept: async (venue: string, given: number) => {
        expect(given).toBe(7);
        made.held.add(venue);
      },
    };
    const health = {
      of: (venue: string) => ({ ...live(venue, clock), status: made.status.get(venue) ?? 'live' }),
    };
    const collector: Collector = Object.assign(made, {
      isOverloaded: false,
      balancer: new LeaseBalancer({
        name,
        leases,
        counts: made.counts,
        logger: silentLogger,
        elapsed: () => this.#time,
        source: { health, isOverloaded: () => collector.isOverloaded },
        // Each venue tells a thousand characters a second.
        changes: () => new Map(VENUES.map((venue) => [venue, this.#time])),
        say: (gossip) => {
          const read = readGossip(JSON.parse(JSON.stringify(gossip)));
          if (read === undefined) throw new Error('it cannot be read');
          this.#said.push(read);
        },
      }),
    });
    this.#all.set(name, collector);
    return collector;
  }

  pass(seconds: number): void {
    for (let i = 0; i < seconds; i++) {
      this.#time += 1000;
      for (const { balancer } of this.#all.values()) balancer.tick();
      for (let gossip = this.#said.shift(); gossip !== undefined; gossip = this.#said.shift())
        if (this.isOpen) for (const { balancer } of this.#all.values()) balancer.hear(gossip);
    }
  }
}

describe('collectors that spread their leases', () => {
  it('tell each other the epochs of what they hold, and of nothing else', () => {
    const talking = new Talking();
    const a = talking.join('a', ['okx', 'kraken']);
    const b = talking.join('b', ['bybit']);
    talking.pass(1);
    expect([a.heard, b.heard]).toEqual([{ bybit: 1 }, { okx: 1, kraken: 1 }]);
  });

  it('share them by and by, and leave them where they are then', () => {
    const talking = new Talking();
    const a = talking.join('a', VENUES);
    const b = talking.join('b');
    talking.pass(9);
    expect(a.held.size).toBe(4);
    talking.pass(4);
    expect([a.held.size, b.held.size]).toEqual([3, 1]);
    talking.pass(300);
    expect([a.held.size, b.held.size]).toEqual([2, 2]);
    expect([a.counts.given.share, b.counts.given.share]).toEqual([2, 0]);
  });

  it('a venue reached elsewhere: left, until it is reached again', () => {
    const talking = new Talking();
    const a = talking.join('a', ['okx', 'kraken']);
    const b = talking.join('b', ['bybit', 'bitget']);
    talking.pass(30);
    a.status.set('okx', 'stale');
    talking.pass(4);
    expect([...a.held]).toContain('okx');
    expect(a.balancer.isBetterElsewhere('okx')).toBe(true);
    talking.pass(4);
    expect([...b.held]).toContain('okx');
    expect([a.balancer.unreached(), a.counts.given.unreached]).toEqual([['okx'], 1]);
    a.status.set('okx', 'live');
    talking.pass(1);
    expect(a.balancer.unreached()).toEqual([]);
    expect(a.balancer.isBetterElsewhere('okx')).toBe(false);
  });

  it('keep a venue that nobody reaches, and what nobody asks for', () => {
    const talking = new Talking();
    const a = talking.join('a', VENUES);
    const b = talking.join('b');
    for (const one of [a, b]) one.status.set('okx', 'down');
    talking.pass(60);
    expect([...a.held]).toContain('okx');
    const held = [...a.held];
    talking.isOpen = false;
    talking.pass(4);
    a.isOverloaded = true;
    for (const venue of VENUES) a.status.set(venue, 'down');
    talking.pass(60);
    expect([...a.held]).toEqual(held);
  });

  it('take from who is too slow until it is not', () => {
    const talking = new Talking();
    const a = talking.join('a', ['okx', 'kraken']);
    const b = talking.join('b', ['bybit', 'bitget']);
    talking.pass(30);
    a.isOverloaded = true;
    talking.pass(8);
    expect([a.held.size, b.held.size]).toEqual([1, 3]);
    a.isOverloaded = false;
    talking.pass(500);
    expect([a.held.size, b.held.size]).toEqual([1, 3]);
    expect(a.counts.given.overload).toBe(1);
    talking.pass(200);
    expect([a.held.size, b.held.size]).toEqual([2, 2]);
  });
});

describe('what another collector says', () => {
  const move = { venue: 'okx', from: 'a', to: 'b', reason: 'share' };
  const epochs = { okx: 7 };
  const report = {
    name: 'a',
    held: { okx: 5 },
    reach: { okx: -5 },
    settledMs: 1,
    overloadedMs: 0,
    calmMs: null,
  };

  it.each([
    { report, asks: [move], epochs },
    { given: move, lease: 7 },
  ])('is read where it is sound: %o', (gossip) => {
    expect(readGossip(gossip)).toEqual(gossip);
  });

  it('unknown requests and epochs that are no numbers: left out', () => {
    const asks = [{ ...move, reason: 'other' }, 5, move];
    expect(readGossip({ report, asks, epochs: { okx: '7' } })).toEqual({ report, asks: [move], epochs: {} });
  });

  it.each([
    null,
    5,
    {},
    { report: { ...report, reach: undefined }, asks: [] },
    { report: { ...report, held: { okx: 'much' } }, asks: [] },
    { report: { ...report, calmMs: undefined }, asks: [] },
    { given: move, lease: 'x' },
  ])('is not read where a part is missing: %o', (gossip) => {
    expect(readGossip(gossip)).toBeUndefined();
  });
});

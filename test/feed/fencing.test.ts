import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asMs, asPrice } from '../../src/domain/units.ts';
import { makeInstrument } from '../../src/market/market-fixture.ts';
import { frameOf } from '../books/frame-of.ts';
import { PROPERTY_RUNS } from '../property-runs.ts';
import { type Host, live, rowsOf } from './feed-hosts.ts';
import { BTC, CONTRACTS, SIDES, VENUE, Wire } from './wire.ts';

describe('the feed of a venue', () => {
  it('carries nothing of a collector without the lease', () => {
    const wire = new Wire();
    const standBy = wire.collector();
    standBy.mark(BTC.symbol, 60_000);
    wire.pass(2000);
    expect(standBy.market.view.contract(VENUE, BTC.symbol)?.markPrice).toBe(60_000);
    expect(wire.counts.taken).toBe(0);
    expect(rowsOf(wire.seller)).toEqual([]);
  });

  it('brings what a stand-by has collected at once when it takes over', () => {
    const wire = new Wire();
    const holder = wire.collector();
    const standBy = wire.collector();
    holder.take(5);
    holder.mark(BTC.symbol, 60_000);
    standBy.mark(BTC.symbol, 60_001);
    wire.pass(100);
    expect(wire.markOf(BTC.symbol)).toBe(60_000);
    holder.lease.epoch = undefined;
    standBy.take(9);
    wire.pass(25);
    expect(wire.markOf(BTC.symbol)).toBe(60_001);
    expect(wire.statusOf()).toBe('live');
  });

  it('collected without a lease: brought once it is held again', () => {
    const wire = new Wire();
    const holder = wire.collector();
    holder.take(5);
    holder.mark(BTC.symbol, 60_000);
    wire.pass(100);
    holder.lease.epoch = undefined;
    holder.mark(BTC.symbol, 60_100);
    wire.pass(1000);
    expect(wire.markOf(BTC.symbol)).toBe(60_000);
    holder.lease.epoch = 5;
    wire.pass(500);
    expect(wire.markOf(BTC.symbol)).toBe(60_100);
    expect(wire.statusOf()).toBe('live');
  });

  it('takes nothing of a holder whose successor was heard', () => {
    const wire = new Wire();
    const old = wire.collector();
    const next = wire.collector();
    old.take(5);
    old.mark(BTC.symbol, 60_000);
    wire.pass(100);
    next.mark(BTC.symbol, 60_100);
    next.take(9);
    wire.pass(100);
    // The old one believes that it holds the lease still, as after a pause between its check and its sending.
    old.mark(BTC.symbol, 1);
    const takenBefore = wire.counts.old;
    wire.pass(1000);
    expect(wire.counts.old).toBeGreaterThan(takenBefore);
    expect(wire.markOf(BTC.symbol)).toBe(60_100);
    expect(wire.statusOf()).toBe('live');
  });

  it('hears a holder again that was given an epoch below one that was heard', () => {
    const wire = new Wire();
    const before = wire.collector();
    const holder = wire.collector();
    before.take(900);
    before.mark(BTC.symbol, 60_000);
    wire.pass(100);
    before.lease.epoch = undefined;
    holder.take(40);
    holder.mark(BTC.symbol, 60_100);
    wire.pass(6000);
    expect(holder.lease.epoch).toBeGreaterThan(900);
    expect(wire.markOf(BTC.symbol)).toBe(60_100);
    expect(wire.statusOf()).toBe('live');
  });

  it('the last part of a snapshot: rows that may be sold', () => {
    const wire = new Wire();
    const holder = wire.collector();
    const many = Array.from({ length: 3000 }, (_, i) => makeInstrument({ venue: VENUE, base: `C${i}` }));
    holder.sinks.market.instruments(VENUE, [...CONTRACTS, ...many], wire.clock.now());
    holder.take(5);
    holder.mark(BTC.symbol, 60_000);
    wire.pass(100);
    holder.lease.epoch = undefined;
    wire.pass(4000);
    const isFresh = () => wire.seller.market.view.rows().find(({ symbol }) => symbol === BTC.symbol)?.fresh;
    expect(isFresh()).toBe(false);
    holder.take(9);
    holder.publisher.tick();
    const seen = wire.sent.splice(0).map((message) => {
      wire.follower.take(VENUE, message);
      return isFresh();
    });
    expect(seen.length).toBeGreaterThan(1);
    expect([seen[0], seen.at(-1)]).toEqual([false, true]);
  });

  it('a gap: behind, no book served, mended by the whole state', () => {
    const wire = new Wire();
    const holder = wire.collector();
    holder.take(5);
    holder.mark(BTC.symbol, 60_000);
    const book = holder.sinks.books.open(BTC, { uncrosses: false });
    book.replace(frameOf({ symbol: BTC.symbol, kind: 'snapshot', ...SIDES }), wire.clock.now(), {
      source: 'rest',
    });
    wire.pass(100);
    expect(wire.seller.books.view.quote(VENUE, BTC.symbol)?.bestBid).toBe(59_999);
    holder.mark(BTC.symbol, 61_000);
    wire.pass(25, () => true);
    holder.mark('ETHUSDT', 3000);
    holder.publisher.tick();
    for (const message of wire.sent.splice(0)) wire.follower.take(VENUE, message);
    expect(wire.counts.gaps).toBe(1);
    expect(wire.statusOf()).toBe('stale');
    expect(wire.seller.followed.health.of(VENUE)?.lastError).toContain('behind');
    expect(wire.seller.books.view.quote(VENUE, BTC.symbol)).toBeUndefined();
    expect(wire.markOf(BTC.symbol)).toBe(60_000);
    wire.pass(500);
    expect(wire.markOf(BTC.symbol)).toBe(61_000);
    expect(wire.markOf('ETHUSDT')).toBe(3000);
    expect(wire.statusOf()).toBe('live');
    expect(wire.seller.books.view.quote(VENUE, BTC.symbol)?.bestBid).toBe(59_999);
  });

  it('tells since when a venue is behind, and since when it is live again', () => {
    const wire = new Wire();
    const holder = wire.collector();
    holder.take(5);
    holder.mark(BTC.symbol, 60_000);
    wire.pass(1000);
    const health = () => wire.seller.followed.health.of(VENUE);
    const before = wire.clock.now();
    expect(health()?.since).toBeLessThan(before);
    wire.pass(4000, () => true);
    expect(health()?.status).toBe('stale');
    expect(health()?.since).toBeGreaterThanOrEqual(before - 1000);
    expect(health()?.since).toBeLessThan(wire.clock.now());
    const silentTo = wire.clock.now();
    wire.pass(2000);
    expect(health()?.status).toBe('live');
    expect(health()?.since).toBeGreaterThanOrEqual(silentTo);
    const liveSince = health()?.since;
    wire.pass(2000);
    expect(health()?.since).toBe(liveSince);
  });

  it('a venue that is down: since the time that its holder states', () => {
    const wire = new Wire();
    const holder = wire.collector();
    holder.take(5);
    const since = wire.clock.now();
    holder.says.set(VENUE, { ...live(VENUE, wire.clock), status: 'down' });
    wire.pass(1000);
    for (const lost of [() => false, () => true, () => false]) {
      wire.pass(4000, lost);
      expect(wire.seller.followed.health.of(VENUE)).toMatchObject({ status: 'down', since });
    }
  });

  it('sells nothing of a venue whose holder is silent', () => {
    const wire = new Wire();
    const holder = wire.collector();
    holder.take(5);
    holder.mark(BTC.symbol, 60_000);
    wire.pass(100);
    expect(rowsOf(wire.seller)[0]?.fresh).toBe(true);
    wire.pass(4000, () => true);
    expect(wire.statusOf()).toBe('stale');
    expect(wire.follower.behind()).toEqual([VENUE]);
    expect(rowsOf(wire.seller)[0]?.fresh).toBe(false);
  });

  it('a message that cannot be applied: behind, then mended', () => {
    const wire = new Wire();
    const holder = wire.collector();
    holder.take(5);
    holder.mark(BTC.symbol, 60_000);
    wire.pass(100);
    holder.mark(BTC.symbol, 61_000);
    holder.publisher.tick();
    const [message = ''] = wire.sent.splice(0);
    wire.follower.take(VENUE, message.slice(0, -1));
    expect(wire.counts.rejected).toBe(1);
    expect(wire.statusOf()).toBe('stale');
    expect(wire.follower.behind()).toEqual([VENUE]);
    expect(wire.asks).toEqual([{ snapshots: [VENUE] }]);
    wire.pass(500);
    expect(wire.markOf(BTC.symbol)).toBe(61_000);
    expect(wire.statusOf()).toBe('live');
  });

  it('asks once a second for the whole state where no message can be applied', () => {
    const wire = new Wire();
    const holder = wire.collector();
    holder.take(5);
    wire.pass(100);
    let asks = 0;
    for (let i = 0; i < 100; i++) {
      holder.mark(BTC.symbol, 60_000 + i);
      wire.pause(25);
      for (const message of wire.sent.splice(0)) wire.follower.take(VENUE, message.slice(0, -1));
      wire.follower.tick();
      asks += wire.asks.splice(0).length;
    }
    expect(wire.follower.behind()).toEqual([VENUE]);
    expect(asks).toBeGreaterThanOrEqual(2);
    expect(asks).toBeLessThanOrEqual(4);
  });

  it('a venue collected no more: not behind, also when unheard', () => {
    const wire = new Wire();
    const holder = wire.collector();
    holder.take(5);
    wire.pass(100);
    const { followed } = wire.seller;
    expect(followed.health.all()).toHaveLength(1);
    const retired = { status: 'down', retired: true, lastError: 'no longer listed' } as const;
    holder.says.set(VENUE, { ...live(VENUE, wire.clock), ...retired });
    wire.pass(1100);
    expect(followed.health.all()).toEqual([]);
    holder.lease.epoch = undefined;
    wire.pass(5000);
    expect(wire.follower.behind()).toEqual([]);
    expect(followed.health.of(VENUE)).toMatchObject(retired);
    // It comes back, and the beginning is lost.
    holder.says.set(VENUE, live(VENUE, wire.clock));
    holder.take(9);
    wire.pass(25, () => true);
    wire.pass(2500);
    expect(wire.statusOf()).toBe('live');
  });

  it('the clock of the holder ahead: nothing made younger', () => {
    const wire = new Wire();
    const holder = wire.collector();
    holder.take(5);
    const ahead = asMs(wire.clock.now() + 60_000);
    holder.sinks.market.quotes(VENUE, [{ symbol: BTC.symbol, markPrice: asPrice(1) }], ahead);
    wire.pass(100);
    expect(wire.seller.market.view.contract(VENUE, BTC.symbol)?.updatedAt).toBeLessThanOrEqual(
      wire.clock.now(),
    );
  });

  it('tells the holder which books are read', () => {
    const wire = new Wire();
    const holder = wire.collector();
    const standBy = wire.collector();
    holder.take(5);
    wire.pass(100);
    wire.seller.followed.want(VENUE, BTC.symbol);
    wire.pass(1500);
    expect(holder.wanted).toEqual([`${VENUE} ${BTC.symbol}`]);
    expect(standBy.wanted).toEqual([]);
  });

  it('any losses and holders: a seller has the rows of the holder', () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('mark' as const),
        who: fc.nat(1),
        contract: fc.nat(2),
        price: fc.integer({ min: 1, max: 99 }),
      }),
      fc.record({
        kind: fc.constant('pass' as const),
        ms: fc.integer({ min: 25, max: 400 }),
        lost: fc.nat(3),
      }),
      fc.record({ kind: fc.constant('take' as const), who: fc.nat(1), isTold: fc.boolean() }),
      fc.record({
        kind: fc.constant('list' as const),
        who: fc.nat(1),
        count: fc.integer({ min: 1, max: 3 }),
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const wire = new Wire();
        const both = [wire.collector(), wire.collector()] as const;
        let holder = 0;
        let epoch = 1;
        both[0].take(1);
        for (const one of steps) {
          if (one.kind === 'pass') wire.pass(one.ms, (place) => one.lost > 0 && place % 3 === one.lost - 1);
          else if (one.kind === 'mark')
            both[one.who as 0 | 1].mark(CONTRACTS[one.contract]?.symbol ?? '', one.price);
          else if (one.kind === 'list') {
            const { sinks } = both[one.who as 0 | 1];
            sinks.market.instruments(VENUE, CONTRACTS.slice(0, one.count), wire.clock.now());
          } else if (one.who !== holder) {
            // A holder that is not told goes on publishing under the epoch that it had.
            if (one.isTold) both[holder as 0 | 1].lease.epoch = undefined;
            both[one.who as 0 | 1].take(++epoch);
            holder = one.who;
          }
        }
        wire.pass(3000);
        const marks = (host: Host) => rowsOf(host).map(({ symbol, markPrice }) => [symbol, markPrice]);
        expect(marks(wire.seller)).toEqual(marks(both[holder as 0 | 1]));
        expect(wire.statusOf()).toBe('live');
      }),
      { numRuns: 60 * PROPERTY_RUNS.times, seed: 24 + PROPERTY_RUNS.seed },
    );
  });
});

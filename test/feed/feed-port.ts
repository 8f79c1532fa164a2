import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.ts';
import { asPrice, asRate } from '../../src/domain/units.ts';
import type { Feed, Leases } from '../../src/feed/ports.ts';
import { ladder } from '../../src/market/books/book-fixture.ts';
import { makeInstrument, makeVenueInfo } from '../../src/market/market-fixture.ts';
import { frameOf } from '../books/frame-of.ts';
import { until } from '../until.ts';
import { type CollectingHost, collecting, type Host, live, rowsOf } from './feed-hosts.ts';

/** One way to carry what is collected. */
export interface FeedKind {
  readonly leases: () => Promise<Leases>;
  readonly feed: () => Promise<Feed>;
  /** A host that sells what this one collects. */
  readonly seller: (collector: CollectingHost) => Promise<Host>;
  readonly close: () => Promise<void>;
}

const VENUE = 'binance';
const clock = systemClock;
const BTC = makeInstrument({ venue: VENUE, base: 'BTC' });
const ETH = makeInstrument({ venue: VENUE, base: 'ETH' });

function quote({ sinks }: CollectingHost, symbol: string, mark: number): void {
  const patch = { symbol, markPrice: asPrice(mark), fundingRate: asRate(0.0001), venueTime: clock.now() };
  sinks.market.quotes(VENUE, [patch], clock.now());
}

async function collector(kind: FeedKind): Promise<CollectingHost> {
  const feed = await kind.feed();
  const made = collecting(clock, (source) => feed.publish(source));
  made.says.set(VENUE, live(VENUE, clock));
  made.sinks.market.venue(makeVenueInfo({ id: VENUE }), 5000);
  made.sinks.market.instruments(VENUE, [BTC, ETH], clock.now());
  quote(made, BTC.symbol, 60_000);
  quote(made, ETH.symbol, 3000);
  await until(() => expect(feed.state().held).toEqual([VENUE]));
  return made;
}

/** Tests of every feed, over any carrier. */
export function feedPortSuite(name: string, kind: FeedKind): void {
  describe(`${name} feed`, () => {
    afterEach(() => kind.close());

    it('holds the lease that it strives for, and no other', async () => {
      const leases = await kind.leases();
      const epochs: number[] = [];
      leases.campaign(VENUE, (epoch) => epochs.push(epoch));
      await until(() => expect(leases.held()).toEqual([VENUE]));
      expect(epochs).toEqual([leases.epoch(VENUE)]);
      expect(epochs[0]).toBeGreaterThan(0);
      expect(leases.epoch('okx')).toBeUndefined();
      await leases.close();
      expect(leases.epoch(VENUE)).toBeUndefined();
    });

    it('a seller: the rows of the collector, from before and after', async () => {
      const from = await collector(kind);
      const to = await kind.seller(from);
      await until(() => expect(rowsOf(to)).toHaveLength(2));
      quote(from, ETH.symbol, 3100);
      await until(() => expect(to.market.view.contract(VENUE, ETH.symbol)?.markPrice).toBe(3100));
      expect(rowsOf(to)).toEqual(rowsOf(from));
      expect(rowsOf(to).map(({ markPrice }) => markPrice)).toEqual([60_000, 3100]);
    });

    it('payments on request: kept at the collector and its followers', async () => {
      const from = await collector(kind);
      const to = await kind.seller(from);
      await until(() => expect(rowsOf(to)).toHaveLength(2));
      const paid = { symbol: BTC.symbol, time: clock.now(), rate: asRate(0.0001) };
      from.sinks.payments(VENUE, [paid], clock.now());
      await until(() => expect(to.payments).toEqual([paid]));
      expect(from.payments).toEqual([paid]);
    });

    it('takes a contract away that the venue lists no more', async () => {
      const from = await collector(kind);
      const to = await kind.seller(from);
      await until(() => expect(rowsOf(to)).toHaveLength(2));
      from.sinks.market.instruments(VENUE, [BTC], clock.now());
      await until(() => expect(rowsOf(to).map(({ symbol }) => symbol)).toEqual([BTC.symbol]));
    });

    it('a seller: figures of a book, none of one out of order', async () => {
      const from = await collector(kind);
      const to = await kind.seller(from);
      await until(() => expect(rowsOf(to)).toHaveLength(2));
      const book = from.sinks.books.open(BTC, { uncrosses: false });
      const bids = ladder(59_999, -5, 0.01, 300);
      const asks = ladder(60_001, 5, 0.01, 300);
      book.replace(frameOf({ symbol: BTC.symbol, kind: 'snapshot', bids, asks }), clock.now(), {
        source: 'stream',
      });
      await until(() => expect(to.books.view.quote(VENUE, BTC.symbol)).toBeDefined());
      const { ageMs: _to, ...sold } = to.books.view.quote(VENUE, BTC.symbol) ?? {};
      const { ageMs: _from, ...held } = from.books.view.quote(VENUE, BTC.symbol) ?? {};
      expect(sold).toEqual(held);
      book.invalidate();
      await until(() => expect(to.books.view.quote(VENUE, BTC.symbol)).toBeUndefined());
    });
  });
}

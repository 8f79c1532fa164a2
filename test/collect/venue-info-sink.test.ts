import { describe, expect, it } from 'vitest';
import { VenueInfoSink } from '../../src/collect/venue-info-sink.ts';
import { asBps, asPrice } from '../../src/domain/units.ts';
import type { VenueInfo } from '../../src/domain/venue.ts';
import { makeInstrument, makeMarket, makeVenueInfo } from '../../src/market/market-fixture.ts';

const {
  sourceId: _none,
  takerFeeBps: _unknown,
  ...found
} = makeVenueInfo({ id: 'bitfinex', hasIndex: false });

/** A market behind the sink, which has been told of the venue. */
function learning() {
  const { market, now } = makeMarket();
  const sink = new VenueInfoSink(market.sink);
  sink.venue(found, 15_000);
  const info = (): VenueInfo | undefined => market.view.venue('bitfinex')?.info;
  return { market, sink, info, now };
}

const contract = (symbol: string, fee?: number) =>
  makeInstrument({
    venue: 'bitfinex',
    symbol,
    base: symbol,
    ticker: symbol,
    ...(fee !== undefined && { takerFeeBps: asBps(fee) }),
  });

describe('venue information inferred from data', () => {
  it('sets the usual taker fee, and keeps it on contracts that differ', () => {
    const seen: (number | undefined)[] = [];
    const { market, sink, info, now } = learning();
    const list = [contract('A', 6.5), contract('B', 2), contract('C', 6.5), contract('D')];
    sink.instruments('bitfinex', list, now());
    expect(info()?.takerFeeBps).toBe(6.5);
    const passing = new VenueInfoSink({
      ...market.sink,
      instruments: (_venue, passed) => seen.push(...passed.map(({ takerFeeBps }) => takerFeeBps)),
    });
    passing.venue(found, 15_000);
    passing.instruments('bitfinex', list, now());
    expect(seen).toEqual([undefined, 2, undefined, undefined]);
  });

  it('sets no fee where no contract states one', () => {
    const { sink, info, now } = learning();
    sink.instruments('bitfinex', [contract('A')], now());
    expect(info()).not.toHaveProperty('takerFeeBps');
  });

  it('sets hasIndex once an index differs from the mark', () => {
    const { sink, info, now } = learning();
    sink.instruments('bitfinex', [contract('A')], now());
    sink.quotes('bitfinex', [{ symbol: 'A', markPrice: asPrice(5), indexPrice: asPrice(5) }], now());
    expect(info()?.hasIndex).toBe(false);
    sink.quotes('bitfinex', [{ symbol: 'A', markPrice: asPrice(5), indexPrice: asPrice(5.1) }], now());
    expect(info()?.hasIndex).toBe(true);
  });

  it('is visible in the table at once', () => {
    const { market, sink, now } = learning();
    sink.instruments('bitfinex', [contract('A')], now());
    const before = market.view.version;
    expect(market.view.venues()[0]?.info.hasIndex).toBe(false);
    sink.quotes('bitfinex', [{ symbol: 'A', indexPrice: asPrice(5.1) }], now());
    expect(market.view.version).toBeGreaterThan(before);
    expect(market.view.venues()[0]?.info.hasIndex).toBe(true);
  });

  it('passes all other data on', () => {
    const { market, sink } = learning();
    const stores = [{ kinds: ['history'] as const, take: () => {} }];
    expect(new VenueInfoSink({ ...market.sink, stores }).stores).toBe(stores);
    expect(sink.stores).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { LearningSink } from '../../src/collect/learning-sink.ts';
import { asBps, asMs, asPrice } from '../../src/domain/units.ts';
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
  const sink = new LearningSink(market.sink);
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

describe('what is learned of a venue', () => {
  it('the usual taker fee; it stays with the contracts that differ', () => {
    const seen: (number | undefined)[] = [];
    const { market, sink, info, now } = learning();
    const list = [contract('A', 6.5), contract('B', 2), contract('C', 6.5), contract('D')];
    sink.instruments('bitfinex', list, now());
    expect(info()?.takerFeeBps).toBe(6.5);
    const passing = new LearningSink({
      ...market.sink,
      instruments: (_venue, passed) => seen.push(...passed.map(({ takerFeeBps }) => takerFeeBps)),
    });
    passing.venue(found, 15_000);
    passing.instruments('bitfinex', list, now());
    expect(seen).toEqual([undefined, 2, undefined, undefined]);
  });

  it('nothing of fees where no contract states one', () => {
    const { sink, info, now } = learning();
    sink.instruments('bitfinex', [contract('A')], now());
    expect(info()).not.toHaveProperty('takerFeeBps');
  });

  it('an index, once there is one that is not the mark', () => {
    const { sink, info, now } = learning();
    sink.instruments('bitfinex', [contract('A')], now());
    sink.quotes('bitfinex', [{ symbol: 'A', markPrice: asPrice(5), indexPrice: asPrice(5) }], now());
    expect(info()?.hasIndex).toBe(false);
    sink.quotes('bitfinex', [{ symbol: 'A', markPrice: asPrice(5), indexPrice: asPrice(5.1) }], now());
    expect(info()?.hasIndex).toBe(true);
  });

  it('is seen at once by who reads the table', () => {
    const { market, sink, now } = learning();
    sink.instruments('bitfinex', [contract('A')], now());
    const before = market.view.version;
    expect(market.view.venues()[0]?.info.hasIndex).toBe(false);
    sink.quotes('bitfinex', [{ symbol: 'A', indexPrice: asPrice(5.1) }], now());
    expect(market.view.version).toBeGreaterThan(before);
    expect(market.view.venues()[0]?.info.hasIndex).toBe(true);
  });

  it('beside it everything is passed on', () => {
    const { market, sink } = learning();
    const at = asMs(1);
    const came: string[] = [];
    const whole = new LearningSink({
      ...market.sink,
      books: () => came.push('books'),
      history: () => came.push('history'),
    });
    whole.books('bitfinex', [], at);
    whole.history(
      'bitfinex',
      { instruments: [], quotes: [], funding: [], history: [], books: [], rejects: [] },
      at,
    );
    sink.books('bitfinex', [], at);
    expect(came).toEqual(['books', 'history']);
  });
});

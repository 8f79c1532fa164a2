import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asRate } from '../domain/units.ts';
import { makeMarket } from './market-fixture.ts';

/** A venue that lists a cap and a floor, beside one that lists none, at one price. */
function bounded(cap: number, floor: number) {
  const fixture = makeMarket();
  fixture.list('kraken', [{ base: 'BTC', fundingCap: asRate(cap), fundingFloor: asRate(floor) }]);
  fixture.list('gate', ['BTC']);
  const quote = (rate: number) => {
    for (const venue of ['kraken', 'gate'])
      fixture.quote(venue, { symbol: 'BTCUSDT', mark: 100, volumeUsd: 1e6, interestUsd: 1e6, rate });
  };
  const row = (venue = 'kraken') => fixture.market.view.row(venue, 'crypto:BTC');
  return { ...fixture, quote, row };
}

describe('a rate beside its venue’s own cap and floor', () => {
  test('beyond either: suspect, not comparable, and at once', () => {
    const { quote, row, pass } = bounded(0.0025, -0.002);
    quote(0.0001);
    pass(1000);
    expect(row()).toMatchObject({ comparable: true, fundingCap: 0.0025, fundingFloor: -0.002 });
    for (const rate of [0.002627, -0.0021]) {
      quote(rate);
      const reasons = { uncomparableReason: 'suspect', suspectReason: 'above_cap' };
      expect(row()).toMatchObject({ fundingRate: rate, comparable: false, ...reasons });
      expect(row('gate')).toMatchObject({ comparable: true });
      quote(0.0001);
      pass(1000);
      expect(row()).toMatchObject({ comparable: true, suspectReason: undefined });
    }
  });

  test('within them, or at one to the last digit: comparable', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-5, max: 0.05, noNaN: true }),
        fc.double({ min: 1e-5, max: 0.05, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (cap, floor, share) => {
          const { quote, row, pass } = bounded(cap, -floor);
          const rates = [cap, -floor, -floor + share * (cap + floor), Number(cap.toPrecision(12))];
          for (const rate of rates) {
            quote(rate);
            pass(1000);
            expect(row()?.suspectReason).toBeUndefined();
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  test('stated with quotes: counts before the list’s, and does not age', () => {
    const { market, quote, row, pass, now } = bounded(0.0025, -0.0025);
    market.sink.quotes('kraken', [{ symbol: 'BTCUSDT', fundingCap: asRate(0.01) }], now());
    quote(0.005);
    pass(1000);
    expect(row()).toMatchObject({ comparable: true, fundingCap: 0.01, fundingFloor: -0.0025 });
    pass(60 * 60 * 1000);
    quote(0.02);
    expect(row()).toMatchObject({ comparable: false, suspectReason: 'above_cap', fundingCap: 0.01 });
  });
});

import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import { makeMarket } from './market-fixture.ts';

const QUOTE = { symbol: 'BTCUSDT', mark: 100, index: 100, bid: 97, ask: 103, volumeUsd: 0 };

function closedAt(hours: number) {
  const fixture = makeMarket();
  fixture.list('extended', ['BTC']);
  const opensAt = fixture.now() + hours * HOUR_MS;
  fixture.quote('extended', { ...QUOTE, open: false, opensAt });
  fixture.pass(0);
  const row = () => fixture.market.view.row('extended', 'crypto:BTC');
  return { fixture, opensAt, row };
}

describe('a market in closed hours', () => {
  test('shows that it is closed, when it opens, and no touch', () => {
    const { opensAt, row } = closedAt(2);
    expect(row()).toMatchObject({
      marketOpen: false,
      opensAt,
      markPrice: 100,
      fresh: true,
      comparable: true,
    });
    expect([row()?.bestBid, row()?.bestAsk]).toEqual([undefined, undefined]);
  });

  test('that opens: has its touch again, and no time to open', () => {
    const { fixture, row } = closedAt(2);
    fixture.quote('extended', { ...QUOTE, open: true });
    expect(row()).toMatchObject({ marketOpen: true, bestBid: 97, bestAsk: 103 });
    expect(row()?.opensAt).toBeUndefined();
  });

  test('says nothing of a time to open that has passed', () => {
    const { fixture, row } = closedAt(0.1);
    fixture.pass(7 * MINUTE_MS);
    expect(row()?.marketOpen).toBe(false);
    expect(row()?.opensAt).toBeUndefined();
  });

  test('is not dead for standing still', () => {
    const { fixture, row } = closedAt(100);
    fixture.pass(2 * DAY_MS);
    fixture.quote('extended', { ...QUOTE, open: false, rate: 1e-4 });
    fixture.pass(0);
    expect(row()?.uncomparableReason).toBeUndefined();
  });

  test('of a venue that states no hours: is neither open nor closed', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['BTC']);
    fixture.quote('binance', QUOTE);
    expect(fixture.market.view.row('binance', 'crypto:BTC')?.marketOpen).toBeUndefined();
  });

  test('is the same in a table that takes over the state of another', () => {
    const { fixture } = closedAt(2);
    const patches = fixture.market.stateOf('extended')?.quotes.flatMap((quote) => quote.patches);
    expect(patches).toMatchObject([{ marketOpen: false }]);
  });
});

test('an index before the market of a contract exists: is no index', () => {
  const fixture = makeMarket();
  fixture.list('bybit', [{ base: 'NEW', assetClass: 'prelaunch' }]);
  fixture.quote('bybit', { symbol: 'NEWUSDT', mark: 3, index: 3 });
  const row = fixture.market.view.rows()[0];
  expect([row?.markPrice, row?.indexPrice, row?.indexUpdatedAt]).toEqual([3, undefined, undefined]);
});

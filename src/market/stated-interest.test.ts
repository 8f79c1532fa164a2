import { expect, test } from 'vitest';
import { MINUTE_MS } from '../runtime/duration.ts';
import { makeMarket } from './market-fixture.ts';

test('a venue has been silent for less than an hour: what it stated last still counts', () => {
  const fixture = makeMarket();
  for (const venue of ['binance', 'bybit']) fixture.list(venue, ['BTC']);
  fixture.quote('binance', { symbol: 'BTCUSDT', mark: 10, interestBase: 7 });
  fixture.quote('bybit', { symbol: 'BTCUSDT', mark: 10, interestUsd: 30 });
  const stated = () => Object.fromEntries(fixture.market.view.statedInterest('crypto:BTC'));
  expect(stated()).toEqual({ binance: 70, bybit: 30 });
  fixture.pass(40 * MINUTE_MS);
  fixture.quote('bybit', { symbol: 'BTCUSDT', mark: 10, interestUsd: 40 });
  expect(fixture.market.view.rowsOf('crypto:BTC').map(({ venue }) => venue)).toEqual(['bybit']);
  expect(stated()).toEqual({ binance: 70, bybit: 40 });
  fixture.pass(21 * MINUTE_MS);
  expect(stated()).toEqual({ bybit: 40 });
  expect(fixture.market.view.statedInterest('crypto:ETH').size).toBe(0);
});

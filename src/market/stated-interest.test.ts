import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import { makeMarket } from './market-fixture.ts';

test('a venue silent for less than an hour: its last value counts', () => {
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

test('just after a start: stored values count for an hour', () => {
  const fixture = makeMarket();
  fixture.list('binance', []);
  fixture.list('bybit', ['BTC']);
  const stored = (venue: string, usd: number, canonicalId = 'crypto:BTC') => ({
    canonicalId,
    venue,
    usd,
    at: fixture.now(),
  });
  const ofVenues = [stored('binance', 900), stored('bybit', 50), stored('hyperliquid-para', 7)];
  fixture.market.remember([...ofVenues, stored('binance', 4, 'crypto:ETH')]);
  const stated = (id = 'crypto:BTC') => Object.fromEntries(fixture.market.view.statedInterest(id));
  expect(stated()).toEqual({ binance: 900, bybit: 50, 'hyperliquid-para': 7 });
  expect(stated('crypto:ETH')).toEqual({ binance: 4 });
  fixture.quote('bybit', { symbol: 'BTCUSDT', mark: 10, interestUsd: 60 });
  expect(stated()).toEqual({ binance: 900, bybit: 60, 'hyperliquid-para': 7 });
  fixture.pass(HOUR_MS - 1);
  fixture.quote('bybit', { symbol: 'BTCUSDT', mark: 10, interestUsd: 70 });
  expect(stated()).toMatchObject({ binance: 900, bybit: 70 });
  fixture.pass(2);
  expect(stated()).toEqual({ bybit: 70 });
});

test('a venue without the asset, or retired: stored values do not count', () => {
  let isRetired = false;
  const health = () => ({ status: 'live' as const, ...(isRetired && { retired: true as const }) });
  const fixture = makeMarket({ health });
  fixture.list('binance', ['ETH']);
  fixture.list('okx', []);
  const at = fixture.now();
  const stored = ['binance', 'okx'].map((venue) => ({ canonicalId: 'crypto:BTC', venue, usd: 5, at }));
  fixture.market.remember(stored);
  expect([...fixture.market.view.statedInterest('crypto:BTC').keys()]).toEqual(['okx']);
  isRetired = true;
  fixture.pass(MINUTE_MS);
  expect([...fixture.market.view.statedInterest('crypto:BTC').keys()]).toEqual([]);
});

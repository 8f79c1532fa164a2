import { expect, test } from 'vitest';
import { DAY_MS } from '../runtime/duration.ts';
import { makeMarket } from './market-fixture.ts';
import { createRegistry } from './registry/lookup.ts';
import { RenameWatch } from './rename-watch.ts';

function watched() {
  const fixture = makeMarket();
  const watch = new RenameWatch(createRegistry());
  const look = () =>
    watch
      .look(fixture.market.view, fixture.now())
      .map(({ venue, ended, appeared, priceRatio }) => [venue, ended.ticker, appeared.ticker, priceRatio]);
  fixture.list('binance', ['BTC', 'ADA', 'KAS']);
  fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1, interestUsd: 9e8 });
  fixture.quote('binance', { symbol: 'ADAUSDT', mark: 2, interestUsd: 8e6 });
  fixture.quote('binance', { symbol: 'KASUSDT', mark: 2, interestUsd: 5000 });
  expect(look()).toEqual([]);
  return { ...fixture, look, watch };
}

test('an unknown name as large as a known one that ends: told once', () => {
  const { list, quote, look, watch, pass } = watched();
  list('binance', ['BTC', 'KAS', 'NEWADA']);
  expect(look()).toEqual([]);
  quote('binance', { symbol: 'NEWADAUSDT', mark: 0.5, interestUsd: 1000 });
  expect(look()).toEqual([]);
  quote('binance', { symbol: 'NEWADAUSDT', mark: 0.5, interestUsd: 3e6 });
  expect(look()).toEqual([['binance', 'ADA', 'NEWADA', 4]]);
  expect(look()).toEqual([]);
  expect(watch.count).toBe(1);
  pass(8 * DAY_MS);
  look();
  expect(watch.count).toBe(0);
});

test('a known name, a small contract, another venue: nothing is told', () => {
  const { list, quote, look } = watched();
  list('binance', ['BTC', 'ADA', 'ETH', 'NEWKAS']);
  quote(
    'binance',
    { symbol: 'ETHUSDT', mark: 2, interestUsd: 9e6 },
    { symbol: 'NEWKASUSDT', mark: 2, interestUsd: 4e3 },
  );
  list('gate', ['NEWADA']);
  quote('gate', { symbol: 'NEWADAUSDT', mark: 2, interestUsd: 9e6 });
  expect(look()).toEqual([]);
});

test('the first list of a venue holds nothing new', () => {
  const { list, quote, look } = watched();
  list('gate', ['ADA', 'UNHEARD']);
  quote(
    'gate',
    { symbol: 'ADAUSDT', mark: 2, interestUsd: 9e6 },
    { symbol: 'UNHEARDUSDT', mark: 2, interestUsd: 9e6 },
  );
  look();
  list('gate', ['UNHEARD']);
  expect(look()).toEqual([]);
});

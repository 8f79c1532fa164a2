import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../runtime/duration.ts';
import { makeMarket } from './market-fixture.ts';

const CONTRACTS = ['USDT', 'USDC'].map((quote) => ({
  symbol: `BTC${quote}`,
  base: 'BTC',
  ticker: 'BTC',
  quote,
  settle: quote,
}));

/** A venue with two contracts of one asset, of which BTCUSDT is shown, beside one with a single contract. */
function twoContracts() {
  const suspects = new Map<string, string>();
  const fixture = makeMarket({ suspect: (_, symbol) => suspects.get(symbol) });
  fixture.list('binance', CONTRACTS);
  fixture.list('bybit', [{ base: 'BTC', symbol: 'BTC-PERP' }]);
  const shown = (mark = 100) =>
    fixture.quote('binance', { symbol: 'BTCUSDT', mark, rate: 0.0001, volumeUsd: 9e6 });
  const other = (mark = 100) =>
    fixture.quote('binance', { symbol: 'BTCUSDC', mark, rate: 0.0001, volumeUsd: 1e6 });
  const elsewhere = (mark = 100) => fixture.quote('bybit', { symbol: 'BTC-PERP', mark, volumeUsd: 1e6 });
  shown();
  other();
  elsewhere();
  fixture.pass(0);
  const row = (symbol: string) => fixture.market.view.contract('binance', symbol);
  const reason = () => row('BTCUSDC')?.uncomparableReason;
  return { ...fixture, suspects, shown, other, elsewhere, row, reason };
}

describe('a contract beside the one that is shown', () => {
  test('a contract not restated: stale, however fresh the shown one is', () => {
    const fixture = twoContracts();
    fixture.pass(12 * MINUTE_MS);
    fixture.shown();
    fixture.pass(0);
    expect(fixture.row('BTCUSDT')).toMatchObject({ fresh: true, rateFresh: true });
    expect(fixture.row('BTCUSDC')).toMatchObject({ fresh: false, rateFresh: false });
    const listed = fixture.market.view.contractsOf('crypto:BTC').filter(({ venue }) => venue === 'binance');
    expect(listed.map(({ symbol, fresh }) => [symbol, fresh])).toEqual([
      ['BTCUSDT', true],
      ['BTCUSDC', false],
    ]);
  });

  test('is fresh where it was restated, however stale the one that is shown', () => {
    const fixture = twoContracts();
    fixture.pass(12 * MINUTE_MS);
    fixture.other(150);
    fixture.elsewhere(150);
    fixture.pass(0);
    expect(fixture.row('BTCUSDT')).toMatchObject({ fresh: false });
    // A stale mark is no measure of it.
    expect(fixture.row('BTCUSDC')).toMatchObject({ fresh: true, rateFresh: true, comparable: true });
  });

  test('is suspect by its own flag, at once', () => {
    const fixture = twoContracts();
    fixture.suspects.set('BTCUSDC', 'jump');
    expect(fixture.row('BTCUSDC')).toMatchObject({
      comparable: false,
      uncomparableReason: 'suspect',
      suspectReason: 'jump',
    });
    fixture.pass(1000);
    expect(fixture.row('BTCUSDT')).toMatchObject({ comparable: true, suspectReason: undefined });
  });

  test('the shown one is suspect: the other is held against venues instead', () => {
    const fixture = twoContracts();
    fixture.suspects.set('BTCUSDT', 'jump');
    fixture.shown(10_000);
    fixture.pass(1000);
    expect(fixture.row('BTCUSDT')).toMatchObject({ comparable: false, suspectReason: 'jump' });
    expect(fixture.row('BTCUSDC')).toMatchObject({ comparable: true, suspectReason: undefined });
    fixture.other(120);
    expect(fixture.reason()).toBe('price_dispersion');
  });

  test.each([
    [102.9, undefined],
    [104, 'price_dispersion'],
    [180, 'identity_uncertain'],
    [1000, 'multiplier_suspect'],
  ])('at %d beside one at 100 is %s', (mark, reason) => {
    const fixture = twoContracts();
    fixture.other(mark);
    expect(fixture.reason()).toBe(reason);
    expect(fixture.row('BTCUSDT')).toMatchObject({ comparable: true });
  });

  test('shares what is found of the level of the one that is shown', () => {
    const fixture = twoContracts();
    fixture.list('gate', ['BTC']);
    fixture.quote('gate', { symbol: 'BTCUSDT', mark: 100 });
    for (const quote of [fixture.shown, fixture.other]) quote(110);
    fixture.pass(1000);
    expect(['BTCUSDT', 'BTCUSDC'].map((symbol) => fixture.row(symbol)?.uncomparableReason)).toEqual([
      'price_dispersion',
      'price_dispersion',
    ]);
  });

  test('counts in the totals of its venue whatever it is judged to be', () => {
    const fixture = twoContracts();
    fixture.other(1000);
    expect(fixture.market.view.totals('binance', 'crypto:BTC')).toMatchObject({
      contracts: 2,
      volume24hUsd: 1e7,
    });
  });
});

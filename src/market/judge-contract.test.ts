import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../runtime/duration.ts';
import { makeMarket } from './market-fixture.ts';

const CONTRACTS = ['USDT', 'USDC'].map((quote) => ({
  ...{ symbol: `BTC${quote}`, base: 'BTC', ticker: 'BTC', quote, settle: quote },
}));

/** A venue with two contracts of one asset, of which BTCUSDT is shown, beside one with a single contract. */
function twoContracts() {
  const suspects = new Map<string, string>();
  const it = makeMarket({ suspect: (_, symbol) => suspects.get(symbol) });
  it.list('binance', CONTRACTS);
  it.list('bybit', [{ base: 'BTC', symbol: 'BTC-PERP' }]);
  const shown = (mark = 100) =>
    it.quote('binance', { symbol: 'BTCUSDT', mark, rate: 0.0001, volumeUsd: 9e6 });
  const other = (mark = 100) =>
    it.quote('binance', { symbol: 'BTCUSDC', mark, rate: 0.0001, volumeUsd: 1e6 });
  const elsewhere = (mark = 100) => it.quote('bybit', { symbol: 'BTC-PERP', mark, volumeUsd: 1e6 });
  shown();
  other();
  elsewhere();
  it.pass(0);
  const row = (symbol: string) => it.market.view.contract('binance', symbol);
  const reason = () => row('BTCUSDC')?.uncomparableReason;
  return { ...it, suspects, shown, other, elsewhere, row, reason };
}

describe('a contract beside the one that is shown', () => {
  test('is stale where it was not restated, however fresh the one that is shown', () => {
    const it = twoContracts();
    it.pass(12 * MINUTE_MS);
    it.shown();
    it.pass(0);
    expect(it.row('BTCUSDT')).toMatchObject({ fresh: true, rateFresh: true });
    expect(it.row('BTCUSDC')).toMatchObject({ fresh: false, rateFresh: false });
    const listed = it.market.view.contractsOf('crypto:BTC').filter(({ venue }) => venue === 'binance');
    expect(listed.map(({ symbol, fresh }) => [symbol, fresh])).toEqual([
      ['BTCUSDT', true],
      ['BTCUSDC', false],
    ]);
  });

  test('is fresh where it was restated, however stale the one that is shown', () => {
    const it = twoContracts();
    it.pass(12 * MINUTE_MS);
    it.other(150);
    it.elsewhere(150);
    it.pass(0);
    expect(it.row('BTCUSDT')).toMatchObject({ fresh: false });
    // What is stale is no measure of it.
    expect(it.row('BTCUSDC')).toMatchObject({ fresh: true, rateFresh: true, comparable: true });
  });

  test('is suspect by its own flag, at once', () => {
    const it = twoContracts();
    it.suspects.set('BTCUSDC', 'jump');
    expect(it.row('BTCUSDC')).toMatchObject({
      ...{ comparable: false, uncomparableReason: 'suspect', suspectReason: 'jump' },
    });
    it.pass(1000);
    expect(it.row('BTCUSDT')).toMatchObject({ comparable: true, suspectReason: undefined });
  });

  test('is not suspect by the flag of the one that is shown, and held against other venues then', () => {
    const it = twoContracts();
    it.suspects.set('BTCUSDT', 'jump');
    it.shown(10_000);
    it.pass(1000);
    expect(it.row('BTCUSDT')).toMatchObject({ comparable: false, suspectReason: 'jump' });
    expect(it.row('BTCUSDC')).toMatchObject({ comparable: true, suspectReason: undefined });
    it.other(120);
    expect(it.reason()).toBe('price_dispersion');
  });

  test.each([
    [102.9, undefined],
    [104, 'price_dispersion'],
    [180, 'identity_uncertain'],
    [1000, 'multiplier_suspect'],
  ])('at %d beside one at 100 is %s', (mark, reason) => {
    const it = twoContracts();
    it.other(mark);
    expect(it.reason()).toBe(reason);
    expect(it.row('BTCUSDT')).toMatchObject({ comparable: true });
  });

  test('shares what is found of the level of the one that is shown', () => {
    const it = twoContracts();
    it.list('gate', ['BTC']);
    it.quote('gate', { symbol: 'BTCUSDT', mark: 100 });
    for (const quote of [it.shown, it.other]) quote(110);
    it.pass(1000);
    expect(['BTCUSDT', 'BTCUSDC'].map((symbol) => it.row(symbol)?.uncomparableReason)).toEqual([
      'price_dispersion',
      'price_dispersion',
    ]);
  });

  test('counts in the totals of its venue whatever it is judged to be', () => {
    const it = twoContracts();
    it.other(1000);
    expect(it.market.view.totals('binance', 'crypto:BTC')).toMatchObject({
      contracts: 2,
      volume24hUsd: 1e7,
    });
  });
});

import { describe, expect, it } from 'vitest';
import { makeMarket } from '../../market/market-fixture.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import { nameStoredPair, selectStoredAsset } from './select-stored.ts';

/** Binance has listed ETH and STX, which Bybit goes on to list the one of. */
const fixture = makeMarket();
fixture.list('binance', ['BTC', 'ETH', { base: 'STX', assetClass: 'crypto' }]);
fixture.list('bybit', ['BTC', 'ETH']);
for (const symbol of ['BTCUSDT', 'ETHUSDT', 'STXUSDT']) fixture.quote('binance', { symbol, mark: 100 });
fixture.market.sweep();
fixture.list('binance', ['BTC'], { sourceId: 1 });
fixture.market.sweep();
const { view } = fixture.market;

const pairOf = (ticker: string, venue = 'binance', canonical_id?: string) => {
  const named = nameStoredPair(view, { ticker, venue, canonical_id });
  if (!named.ok) return named.error.code;
  const { canonicalId, symbol } = named.value;
  return symbol === undefined ? canonicalId : `${canonicalId} ${symbol}`;
};
const assetOf = (ticker: string) => {
  const asset = selectStoredAsset(view, { ticker });
  return asset.ok ? [asset.value.canonicalId, asset.value.listedBy.length] : asset.error.code;
};

describe('what is stored', () => {
  it('a delisted pair: found by ticker, canonical id and symbol', () => {
    expect(['stx', 'STX', 'crypto:STX', 'STX-PERP'].map((name) => pairOf(name))).toEqual(
      Array(4).fill('crypto:STX'),
    );
    expect(pairOf('STXUSDT')).toBe('crypto:STX STXUSDT');
    expect(pairOf('STX', 'binance', 'crypto:STX')).toBe('crypto:STX');
  });

  it('of a pair is found where another venue lists the asset still', () => {
    expect(pairOf('ETH')).toBe('crypto:ETH');
  });

  it('of an asset is found where no venue lists it any more', () => {
    expect(assetOf('STX')).toEqual(['crypto:STX', 0]);
    expect(assetOf('ETH')).toEqual(['crypto:ETH', 1]);
  });

  it('is not there of what was never listed', () => {
    expect(assetOf('NOPE')).toBe('unknown_ticker');
    expect(pairOf('NOPE')).toBe('unknown_ticker');
    expect(pairOf('STX', 'bybit')).toBe('unknown_ticker');
    expect(pairOf('STX', 'nowhere')).toBe('unknown_venue');
    expect(pairOf('STX', 'binance', 'equity:STX')).toBe('unknown_ticker');
  });

  it('of a pair is found where the venue lists nothing any more', () => {
    const gone = makeMarket();
    gone.list('hyperliquid-flx', ['GOLD']);
    gone.quote('hyperliquid-flx', { symbol: 'GOLDUSDT', mark: 4000 });
    gone.market.sweep();
    gone.list('hyperliquid-flx', [], { sourceId: 1 });
    const named = nameStoredPair(gone.market.view, { ticker: 'GOLD', venue: 'hyperliquid-flx' });
    expect(named).toMatchObject({ value: { canonicalId: expect.stringContaining(':') } });
    expect(nameStoredPair(gone.market.view, { ticker: 'OIL', venue: 'hyperliquid-flx' })).toMatchObject({
      error: { code: 'not_ready' },
    });
  });

  it('an asset formerly behind a symbol: found by its canonical id', () => {
    const moved = makeMarket();
    const listAs = (assetClass: 'crypto' | 'equity') =>
      moved.list('binance', [{ base: 'QQX', assetClass }], { sourceId: 1 });
    listAs('crypto');
    moved.list('binance', ['BTC'], { sourceId: 1 });
    moved.pass(2 * DAY_MS);
    listAs('equity');
    const idOf = (canonical_id?: string) =>
      nameStoredPair(moved.market.view, { ticker: 'QQX', venue: 'binance', canonical_id });
    expect(idOf()).toMatchObject({ value: { canonicalId: 'equity:QQX' } });
    expect(idOf('crypto:QQX')).toMatchObject({ value: { canonicalId: 'crypto:QQX' } });
  });

  it('of a listed pair is found as ever, by its listing', () => {
    expect(pairOf('BTC')).toBe('crypto:BTC');
    expect(view.formerly('BTC', { venue: 'binance' })).toEqual({ kind: 'unknown' });
  });
});

import { describe, expect, test } from 'vitest';
import { makeMarket } from '../../market/market-fixture.ts';
import { selectAsset, selectPair } from './select.ts';

const fixture = makeMarket();
fixture.list('binance', ['BTC', 'ETH', { base: 'STX', assetClass: 'crypto' }]);
fixture.list('hyperliquid-para', ['STX']);
fixture.quote('binance', { symbol: 'BTCUSDT', mark: 100 }, { symbol: 'STXUSDT', mark: 0.3 });
fixture.quote('hyperliquid-para', { symbol: 'STXUSDT', mark: 900 });
const { view } = fixture.market;

const assetError = (ticker: string, canonicalId?: string) => {
  const result = selectAsset(view, { ticker, canonical_id: canonicalId });
  return result.ok ? result.value.canonicalId : result.error;
};
const pairError = (venue: string, ticker: string, canonicalId?: string) => {
  const result = selectPair(view, { venue, ticker, canonical_id: canonicalId });
  return result.ok ? result.value.canonicalId : result.error;
};

describe('selecting an asset', () => {
  test('a unique identity: taken; several: refused with candidates', () => {
    expect(assetError('btc-perp')).toBe('crypto:BTC');
    const ambiguous = assetError('STX');
    expect(ambiguous).toMatchObject({
      code: 'ambiguous_ticker',
      candidates: [
        { canonical_id: 'crypto:STX', asset_class: 'crypto', venues: ['binance'] },
        { canonical_id: 'equity:STX', asset_class: 'equity', venues: ['hyperliquid-para'] },
      ],
    });
    expect(JSON.stringify(ambiguous)).not.toMatch(/\b(0\.3|900)\b/);
    expect(assetError('STX', 'equity:STX')).toBe('equity:STX');
    expect(assetError('equity:STX')).toBe('equity:STX');
  });

  test('a contradiction names the parameter, an unknown ticker is 404', () => {
    expect(assetError('STX', 'crypto:BTC')).toMatchObject({
      code: 'canonical_id_contradicts_ticker',
      errors: [{ parameter: 'canonical_id' }],
    });
    expect(assetError('NOPE')).toMatchObject({ code: 'unknown_ticker' });
  });
});

describe('selecting a pair', () => {
  test('the venue decides between identities', () => {
    expect(pairError('Binance', 'STX')).toBe('crypto:STX');
    expect(pairError('hyperliquid-para', 'STX')).toBe('equity:STX');
    expect(pairError('binance', 'BTCUSDT')).toBe('crypto:BTC');
  });

  test('each failure has its own code', () => {
    expect(pairError('nowhere', 'BTC')).toMatchObject({ code: 'unknown_venue' });
    expect(pairError('binance', 'NOPE')).toMatchObject({ code: 'unknown_ticker' });
    expect(pairError('hyperliquid-para', 'BTC')).toMatchObject({ code: 'not_listed' });
    expect(pairError('binance', 'STX', 'equity:STX')).toMatchObject({ code: 'not_listed' });
    expect(pairError('binance', 'STX', 'crypto:BTC')).toMatchObject({
      code: 'canonical_id_contradicts_ticker',
    });
    expect(pairError('binance', 'ETH')).toMatchObject({ code: 'not_ready', retryAfterSeconds: 5 });
  });

  test('a failure names a query that works', () => {
    expect(pairError('binanse', 'BTC')).toMatchObject({
      detail: expect.stringContaining('did you mean binance'),
    });
    expect(pairError('bınance', 'BTC')).toMatchObject({ code: 'unknown_venue' });
    expect(pairError('binance', 'BTX')).toMatchObject({
      detail: expect.stringContaining('did you mean BTC'),
    });
    expect(pairError('hyperliquid-para', 'BTC')).toMatchObject({
      detail: expect.stringMatching(/these do: .*binance/),
    });
    expect(pairError('binance', 'QQQQQQQQ')).not.toMatchObject({
      detail: expect.stringContaining('did you mean'),
    });
  });
});

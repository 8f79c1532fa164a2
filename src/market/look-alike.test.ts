import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePoint } from '../../test/code-point.ts';
import type { AssetClass } from '../domain/instrument.ts';
import { isReadableSymbol } from '../domain/symbol.ts';
import { baseName } from '../domain/ticker.ts';
import { asPrice } from '../domain/units.ts';
import { HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import { decideIdentity, slugOf } from './decide-identity.ts';
import { makeInstrument, makeMarket } from './market-fixture.ts';
import { createRegistry } from './registry/lookup.ts';

const registry = createRegistry();

function idOf(base: string, mark = 100, assetClass?: AssetClass, venue = 'binance'): string {
  const stated = assetClass === undefined ? {} : { assetClass };
  const instrument = makeInstrument({ venue, base, ...baseName(base), ...stated });
  const decided = decideIdentity(registry, instrument, asPrice(mark));
  return decided === 'needs_price' ? decided : decided.canonicalId;
}

/** Names that are drawn like BTC, or nearly. */
const LIKE_BTC = [
  'B/TC',
  'bTC',
  'btc',
  'B-TC',
  'BTC.',
  'ВТС',
  'ＢＴＣ',
  'BTĆ',
  'B:TC',
  'BTC?',
  'BTC*',
  'ΒΤC',
];

describe('a name that looks like a curated one', () => {
  test.each(LIKE_BTC)('%s is another asset', (base) => {
    expect(idOf(base)).not.toBe('crypto:BTC');
  });

  test('is shown beside it as uncertain, and takes nothing of it', () => {
    const fixture = makeMarket();
    const likes = LIKE_BTC.map((base) => ({ base, ...baseName(base) }));
    fixture.list('binance', [{ base: 'BTC', ticker: 'BTC' }, ...likes]);
    fixture.list('bybit', [{ base: 'BTC', ticker: 'BTC' }]);
    for (const base of ['BTC', ...LIKE_BTC])
      fixture.quote('binance', { symbol: `${base}USDT`, mark: 100, rate: 0.0001, volumeUsd: 1e9 });
    fixture.quote('bybit', { symbol: 'BTCUSDT', mark: 100, rate: 0.0001, volumeUsd: 1e6 });
    fixture.pass(0);
    const { view } = fixture.market;
    expect(view.rowsOf('crypto:BTC').map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'BTCUSDT']);
    expect(view.contractsOf('crypto:BTC')).toHaveLength(2);
    const others = view.rows().filter(({ canonicalId }) => canonicalId !== 'crypto:BTC');
    expect(others).toHaveLength(LIKE_BTC.length);
    expect(new Set(others.map(({ uncomparableReason }) => uncomparableReason))).toEqual(
      new Set(['identity_uncertain']),
    );
    for (const name of ['BTC', 'btc', 'BTCUSDT', 'BTC/USDT', 'BTC-PERP', 'crypto:BTC']) {
      expect(view.resolve(name)).toMatchObject({ kind: 'one', canonicalId: 'crypto:BTC' });
      expect(view.resolve(name, { venue: 'binance' })).toMatchObject({
        kind: 'one',
        canonicalId: 'crypto:BTC',
      });
    }
  });

  test('law: an id by rule is a curated one only where the name is', () => {
    const letters = fc.constantFrom(...'BTCSOLbtcsolВТСſK/:~?#.-_*1k0 '.split(''));
    const name = fc
      .array(letters, { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join(''))
      .filter((text) => isReadableSymbol(text));
    fc.assert(
      fc.property(name, (base) => {
        const instrument = makeInstrument({ base, ...baseName(base) });
        if (instrument.nameReading !== undefined || instrument.multiplier !== 1) return;
        const decided = decideIdentity(registry, instrument, asPrice(100));
        if (decided === 'needs_price') return;
        const curated = registry.byId(decided.canonicalId);
        if (curated !== undefined) expect([curated.ticker, ...curated.aliases]).toContain(base);
      }),
      { numRuns: 500 },
    );
  });

  test('law: two names never have one slug, and a slug is its own', () => {
    const name = fc
      .string({ unit: codePoint, minLength: 1, maxLength: 8 })
      .filter((text) => !text.includes('!'));
    fc.assert(
      fc.property(name, name, (base, other) => {
        expect(slugOf(base) === slugOf(other)).toBe(base === other);
        expect(slugOf(slugOf(base))).toBe(slugOf(base));
        expect(slugOf(base)).not.toMatch(/[\s:~/?#a-z]/);
      }),
    );
  });

  test('law: the slug of every curated asset is one of its names', () => {
    const strays = registry.assets.filter(
      ({ canonicalId, ticker, aliases }) =>
        ![ticker, ...aliases].map(slugOf).includes(canonicalId.slice(canonicalId.indexOf(':') + 1)),
    );
    expect(strays.map(({ canonicalId }) => canonicalId)).toEqual([]);
  });

  test.each(['BTC\u{FE0F}', 'BTC\u{34F}', '\u{3164}BTC', 'B\u{AD}TC'])(
    '%j holds what is not drawn: no name',
    (text) => {
      expect(isReadableSymbol(text)).toBe(false);
    },
  );
});

describe('shares by their name', () => {
  test.each([
    ['TENCENTHKD', 'equity:TENCENTHKD'],
    ['XIAOMIHKD', 'equity:XIAOMIHKD'],
    ['SAMSUNGKRW', 'equity:SAMSUNGKRW'],
    ['SKHYNIXKRW', 'equity:SKHYNIXKRW'],
    ['NOBODYHKD', 'equity:NOBODYHKD'],
    ['USDHKD', 'fx:USDHKD'],
    ['NAVER', 'equity:NAVER'],
  ])('%s is %s: no coin, and no share in dollars', (base, id) => {
    expect(idOf(base, 400)).toBe(id);
  });

  test('a label of the venue stands unless a known share is in the name', () => {
    expect(idOf('NOBODYHKD', 1, 'crypto')).toBe('crypto:NOBODYHKD');
    expect(idOf('TENCENTKRW', 1, 'crypto')).toBe('equity:TENCENTKRW');
    expect(idOf('NOBODYHKD', 1, 'index')).toBe('index:NOBODYHKD');
  });

  test('a token under the ticker of a share below one dollar: a coin', () => {
    expect(idOf('AAPL', 0.0004)).toBe('crypto:AAPL');
    expect(idOf('SPY', 0.02)).toBe('crypto:SPY');
    expect(idOf('AAPL', 222)).toBe('equity:AAPL');
    // The venue's word is believed, and so is a dex of shares.
    expect(idOf('AAPL', 0.5, 'equity')).toBe('equity:AAPL');
    expect(idOf('AAPL', 0.5, undefined, 'hyperliquid-xyz')).toBe('equity:AAPL');
  });

  test('by its ticker alone: uncertain until a labelled one has its price', () => {
    const fixture = makeMarket();
    const share = (symbol: string, rest = {}) => ({ base: 'AAPL', ticker: 'AAPL', symbol, ...rest });
    fixture.list('grvt', [share('AAPL_A')]);
    fixture.list('lighter', [share('AAPL_B')]);
    const quote = (venue: string, symbol: string, mark: number) =>
      fixture.quote(venue, { symbol, mark, rate: 0.0001, volumeUsd: 1e6 });
    quote('grvt', 'AAPL_A', 222);
    quote('lighter', 'AAPL_B', 7);
    fixture.pass(0);
    const reasons = () => fixture.market.view.rows().map(({ uncomparableReason }) => uncomparableReason);
    expect(reasons()).toEqual(['identity_uncertain', 'identity_uncertain']);
    fixture.list('binance', [share('AAPL_C', { assetClass: 'equity' })]);
    quote('binance', 'AAPL_C', 222.5);
    fixture.pass(0);
    expect(reasons()).toEqual([undefined, 'identity_uncertain', undefined]);
  });

  test('split after a day: the labelled one keeps the id', () => {
    const fixture = makeMarket();
    fixture.list('lighter', [{ base: 'AAPL', ticker: 'AAPL', symbol: 'AAPL' }]);
    fixture.list('binance', [{ base: 'AAPL', ticker: 'AAPL', symbol: 'AAPLUSDT', assetClass: 'equity' }]);
    for (let hour = 0; hour < 30; hour++) {
      fixture.pass(HOUR_MS - 2 * MINUTE_MS);
      fixture.quote('lighter', { symbol: 'AAPL', mark: 7, volumeUsd: 1e9 });
      fixture.quote('binance', { symbol: 'AAPLUSDT', mark: 222, volumeUsd: 1e6 });
      fixture.pass(2 * MINUTE_MS);
    }
    const ids = fixture.market.view.contractsOf('equity:AAPL').map(({ venue }) => venue);
    expect(ids).toEqual(['binance']);
    expect(fixture.market.view.identitiesOf('AAPL')).toEqual(['equity:AAPL', 'equity:AAPL~2']);
  });
});

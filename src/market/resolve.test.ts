import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeMarket } from './market-fixture.ts';

function market() {
  const fixture = makeMarket();
  fixture.list('binance', [
    'BTC',
    { base: '1000PEPE', ticker: 'PEPE', multiplier: 1000 },
    { base: 'STX', assetClass: 'crypto' },
    'PERP',
    'SUPERP',
    { base: 'PAXG', assetClass: 'crypto' },
  ]);
  fixture.list('hyperliquid-para', [{ base: 'STX', symbol: 'para:STX' }]);
  fixture.list('gate', [
    { base: 'QNT', symbol: 'QNT_USDT', assetClass: 'crypto' },
    { base: 'QNT', symbol: 'QNTS_USDT', assetClass: 'equity' },
    { base: 'GOLD', symbol: 'XAU_USDT', assetClass: 'commodity' },
    { base: 'PAXG', symbol: 'PAXG_USDT', assetClass: 'commodity' },
  ]);
  fixture.list('bybit', [
    { base: 'DOGE', symbol: 'DOGEUSDT' },
    { base: 'DOGE', symbol: 'DOGEPERP', quote: 'USDC', settle: 'USDC' },
    { base: '1000PEPE', ticker: 'PEPE', multiplier: 1000, symbol: '1000PEPEUSDT' },
  ]);
  fixture.quote('binance', { symbol: 'BTCUSDT', mark: 1 });
  return fixture.market.view;
}

const view = market();
const one = (canonicalId: string, ticker: string) => ({ kind: 'one', canonicalId, ticker });

describe('resolve', () => {
  test('an exact ticker resolves in any case', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), (flags) => {
        const name = [...'BTC'].map((c, i) => (flags[i] ? c : c.toLowerCase())).join('');
        expect(view.resolve(name)).toEqual(one('crypto:BTC', 'BTC'));
      }),
    );
  });

  test('a canonical id, an alias and a base with a multiplier resolve', () => {
    expect(view.resolve('CRYPTO:btc')).toEqual(one('crypto:BTC', 'BTC'));
    expect(view.resolve('xau')).toEqual(one('commodity:XAU', 'XAU'));
    expect(view.resolve('GOLD')).toEqual(one('commodity:XAU', 'XAU'));
    expect(view.resolve('1000pepe')).toEqual(one('crypto:PEPE', 'PEPE'));
  });

  test('a gold token is one asset beside gold, whatever its venues call it', () => {
    expect(view.resolve('PAXG')).toEqual(one('crypto:PAXG', 'PAXG'));
    expect(view.resolve('PAXG', { venue: 'gate' })).toEqual(one('crypto:PAXG', 'PAXG'));
    expect(view.identitiesOf('XAU')).toEqual(['commodity:XAU']);
  });

  test('a perp suffix is stripped only where the whole name is unknown', () => {
    for (const name of ['BTC-PERP', 'btc_perp', 'BTCPERP']) {
      expect(view.resolve(name)).toEqual(one('crypto:BTC', 'BTC'));
    }
    expect(view.resolve('PERP')).toEqual(one('crypto:PERP', 'PERP'));
    expect(view.resolve('SUPERP')).toEqual(one('crypto:SUPERP', 'SUPERP'));
    expect(view.resolve('PERP-PERP')).toEqual(one('crypto:PERP', 'PERP'));
  });

  test("the venue's own symbol resolves only with the venue", () => {
    expect(view.resolve('BTCUSDT', { venue: 'binance' })).toEqual({
      ...one('crypto:BTC', 'BTC'),
      symbol: 'BTCUSDT',
    });
    expect(view.resolve('qnts_usdt', { venue: 'gate' })).toEqual({
      ...one('equity:QNT', 'QNT'),
      symbol: 'QNTS_USDT',
    });
    expect(view.resolve('QNTS_USDT')).toEqual({ kind: 'unknown' });
  });

  test('a name that says a quote means the contract in that quote, or none', () => {
    const at = (name: string) => view.resolve(name, { venue: 'bybit' });
    for (const name of ['DOGE/USDC:USDC', 'doge/usdc', 'DOGEUSDC', 'DOGE-USDC', 'DOGE_USDC-PERP']) {
      expect(at(name), name).toEqual({ ...one('crypto:DOGE', 'DOGE'), symbol: 'DOGEPERP' });
    }
    expect(at('DOGE')).toEqual(one('crypto:DOGE', 'DOGE'));
    expect(at('DOGE/USDT:USDT')).toEqual({ ...one('crypto:DOGE', 'DOGE'), symbol: 'DOGEUSDT' });
    expect(at('PEPE/USDT:USDT')).toEqual({ ...one('crypto:PEPE', 'PEPE'), symbol: '1000PEPEUSDT' });
    for (const name of ['DOGE/USD', 'DOGE/USDT:USDC', 'DOGEFDUSD']) {
      expect(at(name), name).toEqual({ kind: 'unknown' });
    }
  });

  test('without a venue a quote is only another way to write the asset', () => {
    for (const name of ['DOGE/USDC:USDC', 'DOGEUSDT', 'DOGE-USDT-SWAP', 'doge_usd']) {
      expect(view.resolve(name), name).toEqual(one('crypto:DOGE', 'DOGE'));
    }
    expect(view.resolve('1000PEPEUSDT')).toEqual(one('crypto:PEPE', 'PEPE'));
    expect(view.resolve('STXUSDT').kind).toBe('ambiguous');
    expect(view.resolve('NOPEUSDT')).toEqual({ kind: 'unknown' });
  });

  test('look-alike letters resolve to nothing', () => {
    for (const name of ['\u017fTX', 'G\u0131GA', 'DO\u01e4E', '\u212aNC']) {
      expect(view.resolve(name), name).toEqual({ kind: 'unknown' });
    }
    expect(view.resolve('Stx').kind).toBe('ambiguous');
  });

  test('an ambiguous ticker: candidates with venues and no prices', () => {
    expect(view.resolve('stx')).toEqual({
      kind: 'ambiguous',
      candidates: [
        { canonical_id: 'crypto:STX', asset_class: 'crypto', venues: ['binance'] },
        { canonical_id: 'equity:STX', asset_class: 'equity', venues: ['hyperliquid-para'] },
      ],
    });
  });

  test('a venue decides unless it lists both', () => {
    expect(view.resolve('STX', { venue: 'binance' })).toEqual(one('crypto:STX', 'STX'));
    expect(view.resolve('STX', { venue: 'hyperliquid-para' })).toEqual(one('equity:STX', 'STX'));
    expect(view.resolve('QNT', { venue: 'gate' }).kind).toBe('ambiguous');
  });

  test('an asset that the venue does not list is still resolved', () => {
    expect(view.resolve('BTC', { venue: 'gate' })).toEqual(one('crypto:BTC', 'BTC'));
    expect(view.resolve('STX', { venue: 'gate' }).kind).toBe('one');
  });

  test('canonical id disambiguates or contradicts', () => {
    expect(view.resolve('STX', { canonicalId: 'equity:stx' })).toEqual(one('equity:STX', 'STX'));
    expect(view.resolve('QNT', { venue: 'gate', canonicalId: 'crypto:QNT' })).toEqual(
      one('crypto:QNT', 'QNT'),
    );
    expect(view.resolve('STX', { canonicalId: 'crypto:BTC' })).toMatchObject({
      kind: 'contradiction',
      candidates: [{ canonical_id: 'crypto:STX' }, { canonical_id: 'equity:STX' }],
    });
    expect(view.resolve('NOPE', { canonicalId: 'crypto:BTC' })).toEqual({ kind: 'unknown' });
  });

  test('an old name in any spelling: the asset under its present one', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['POL', { base: 'IP', assetClass: 'crypto' }]);
    fixture.list('gate', ['MATIC']);
    const { view } = fixture.market;
    const contract = { ...one('crypto:POL', 'POL'), symbol: 'POLUSDT' };
    for (const name of ['MATIC', 'matic', 'crypto:matic', 'Matic-PERP', 'MATIC/USDT', 'maticusdt'])
      expect(view.resolve(name), name).toMatchObject(one('crypto:POL', 'POL'));
    expect(view.resolve('MATICUSDT', { venue: 'binance' })).toEqual(contract);
    expect(view.resolve('POL', { canonicalId: 'crypto:MATIC' })).toMatchObject(one('crypto:POL', 'POL'));
    expect(view.resolve('MATIC', { venue: 'gate' })).toMatchObject(one('crypto:POL', 'POL'));
    expect(view.rowsOf('crypto:MATIC')).toEqual([]);
    expect(view.resolve('DATA')).toMatchObject(one('crypto:IP', 'IP'));
  });

  test('an old name of another unit: its own asset while listed', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['SKY', { base: 'G', assetClass: 'crypto' }]);
    fixture.list('okx', ['GAL']);
    const { view } = fixture.market;
    expect(view.resolve('GAL')).toMatchObject(one('crypto:GAL', 'GAL'));
    expect(view.resolve('GAL', { venue: 'binance' })).toMatchObject(one('crypto:G', 'G'));
    expect(view.resolve('MKR')).toMatchObject(one('crypto:SKY', 'SKY'));
  });

  test('a name that another asset uses again means that one', () => {
    const fixture = makeMarket();
    fixture.list('binance', ['LIT', 'HEI']);
    expect(fixture.market.view.resolve('LIT')).toMatchObject(one('crypto:LIT', 'LIT'));
    const before = makeMarket();
    before.list('binance', ['HEI']);
    expect(before.market.view.resolve('LIT')).toEqual({ kind: 'unknown' });
  });

  test('a name that means two assets after a list: ambiguous from then on', () => {
    const fixture = makeMarket();
    const { view: growing } = fixture.market;
    fixture.list('binance', [{ base: 'STX', assetClass: 'crypto' }]);
    for (let times = 0; times < 2; times += 1)
      expect(growing.resolve('STX')).toMatchObject(one('crypto:STX', 'STX'));
    expect(growing.resolve('STX', { canonicalId: 'equity:STX' }).kind).toBe('contradiction');
    fixture.list('gate', [{ base: 'STX', assetClass: 'equity' }]);
    expect(growing.resolve('STX').kind).toBe('ambiguous');
    expect(growing.resolve('STX', { canonicalId: 'equity:STX' })).toMatchObject(one('equity:STX', 'STX'));
  });

  test('a ticker lists all of its identities, an unknown one none', () => {
    expect(view.identitiesOf('STX')).toEqual(['crypto:STX', 'equity:STX']);
    expect(view.identitiesOf('NOPE')).toEqual([]);
  });

  test('no name makes it throw', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), (name, canonicalId) => {
        const options = canonicalId === undefined ? {} : { canonicalId };
        expect(['one', 'ambiguous', 'contradiction', 'unknown']).toContain(view.resolve(name, options).kind);
      }),
    );
  });
});

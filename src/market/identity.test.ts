import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { memoryIdentityStore } from '../../test/market/memory-stores.ts';
import type { Instrument } from '../domain/instrument.ts';
import { asMs, asPrice } from '../domain/units.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../runtime/duration.ts';
import { createInstrumentIdentities } from './identity.ts';
import { RELISTING_GAP_MS } from './identity-ranges.ts';
import { makeInstrument } from './market-fixture.ts';
import { openMarketStore } from './store-lmdb.ts';

const T0 = asMs(1_790_000_000_000);

function idOf(instrument: Partial<Instrument>, mark?: number): string | undefined {
  const book = createInstrumentIdentities(memoryIdentityStore());
  const price = mark === undefined ? undefined : asPrice(mark);
  return book.assign(makeInstrument(instrument), T0, price)?.canonicalId;
}

describe('identity rules', () => {
  test('an uncurated name: a coin of its ticker; on sub-venues unknown', () => {
    expect(idOf({ base: 'NEWCOIN' })).toBe('crypto:NEWCOIN');
    expect(idOf({ base: 'NEWTHING', venue: 'hyperliquid-xyz' })).toBe('unknown:NEWTHING');
    expect(idOf({ base: 'NEWCOIN', venue: 'hyperliquid-hyna' })).toBe('crypto:NEWCOIN');
  });

  test('the venue states the class of what is not curated', () => {
    expect(idOf({ base: 'ZZZZ', assetClass: 'equity' })).toBe('equity:ZZZZ');
    expect(idOf({ base: 'NVDA', assetClass: 'crypto' })).toBe('crypto:NVDA');
  });

  test('curated names: outrank the class of the venue on the same side', () => {
    expect(idOf({ base: 'EWY', assetClass: 'equity' })).toBe('etf:EWY');
    expect(idOf({ base: 'GOLD', assetClass: 'equity' }, 4000)).toBe('commodity:XAU');
    expect(idOf({ base: 'SP500', venue: 'hyperliquid-xyz' }, 7500)).toBe('index:SPX');
    expect(idOf({ base: 'XPL', assetClass: 'prelaunch' })).toBe('crypto:XPL');
  });

  test('the class distinguishes assets with one ticker', () => {
    expect(idOf({ base: 'QNT', assetClass: 'equity' })).toBe('equity:QNT');
    expect(idOf({ base: 'QNT', assetClass: 'crypto' })).toBe('crypto:QNT');
    expect(idOf({ base: 'SPX', assetClass: 'crypto' })).toBe('crypto:SPX6900');
    expect(idOf({ base: 'SPX', assetClass: 'index' })).toBe('index:SPX');
  });

  test('without a class: the first mark decides, no id before it', () => {
    expect(idOf({ base: 'STX' })).toBeUndefined();
    expect(idOf({ base: 'STX' }, 0.31)).toBe('crypto:STX');
    expect(idOf({ base: 'STX' }, 909)).toBe('equity:STX');
    expect(idOf({ base: 'SPX' }, 1.05)).toBe('crypto:SPX6900');
    expect(idOf({ base: 'SPX' }, 6700)).toBe('index:SPX');
    expect(idOf({ base: 'JPY' }, 156)).toBe('fx:USDJPY');
    expect(idOf({ base: 'JPY', venue: 'edgex', assetClass: 'fx' }, 0.0064)).toBe('fx:JPYUSD');
    expect(idOf({ base: 'NEIRO' }, 0.0003)).toBe('crypto:NEIROCTO');
    expect(idOf({ base: 'NEIRO' }, 0.08)).toBe('crypto:NEIROETH');
    expect(idOf({ base: 'NEIROETH' }, 0.08)).toBe('crypto:NEIROETH');
    expect(idOf({ base: 'USTECH', venue: 'hyperliquid-mkts' }, 700)).toBe('index:USTECH');
    expect(idOf({ base: 'USTECH', venue: 'hyperliquid-mkts' }, 25_000)).toBe('index:NDX');
  });

  test('a coin that a venue labels metal or currency: that coin', () => {
    for (const assetClass of [undefined, 'commodity', 'fx', 'equity', 'unknown', 'crypto'] as const) {
      const stated = assetClass === undefined ? {} : { assetClass };
      expect(idOf({ base: 'PAXG', ...stated }), assetClass).toBe('crypto:PAXG');
      expect(idOf({ base: 'XAUT', ...stated }), assetClass).toBe('crypto:XAUT');
      expect(idOf({ base: 'USDC', ...stated }), assetClass).toBe('crypto:USDC');
    }
    expect(idOf({ base: 'USDE', assetClass: 'fx' })).toBe('crypto:USDE');
    expect(idOf({ base: 'XAU', assetClass: 'commodity' })).toBe('commodity:XAU');
    expect(idOf({ base: 'BTC', assetClass: 'commodity' })).toBe('crypto:BTC');
  });

  test('a commodity or currency labelled crypto: itself if the price agrees', () => {
    expect(idOf({ base: 'XAU', assetClass: 'crypto' }, 4020)).toBe('commodity:XAU');
    expect(idOf({ base: 'EURUSD', assetClass: 'crypto' }, 1.16)).toBe('fx:EURUSD');
    expect(idOf({ base: 'XAG', assetClass: 'crypto' })).toBe('commodity:XAG');
    expect(idOf({ base: 'CORN', assetClass: 'crypto' }, 0.07)).toBe('crypto:CORN');
  });

  test('a label of a share: stands against a coin of its ticker', () => {
    expect(idOf({ base: 'HIVE', assetClass: 'equity' }, 3)).toBe('equity:HIVE');
    expect(idOf({ base: 'META', assetClass: 'crypto' }, 0.02)).toBe('crypto:META');
    expect(idOf({ base: 'META', assetClass: 'crypto' }, 640)).toBe('equity:META');
    expect(idOf({ base: 'GAS', assetClass: 'commodity' }, 3)).toBe('commodity:GAS');
    expect(idOf({ base: 'OM', assetClass: 'equity' }, 9)).toBe('equity:OM');
  });

  test('a mark that fits no curated asset makes another one', () => {
    expect(idOf({ base: 'META' }, 0.02)).toBe('crypto:META');
    expect(idOf({ base: 'META' }, 640)).toBe('equity:META');
  });

  test('names of one venue hold there only, decorations are read through', () => {
    expect(idOf({ base: 'STX', venue: 'hyperliquid-para' })).toBe('equity:STX');
    expect(idOf({ base: 'GAS', venue: 'hyperliquid-flx' })).toBe('commodity:NATGAS');
    expect(idOf({ base: 'AAPLx', ticker: 'AAPLX', venue: 'kraken' })).toBe('equity:AAPL');
    expect(idOf({ base: 'SKHYNIXSTOCK', venue: 'mexc' })).toBe('equity:SKHYNIX');
  });
});

describe('identities over time', () => {
  const binance = (base: string, rest: Partial<Instrument> = {}) => makeInstrument({ base, ...rest });
  const later = asMs(T0 + 3_600_000);

  test('a weaker basis never replaces an id, a stronger one does and ends it', () => {
    const book = createInstrumentIdentities(memoryIdentityStore());
    book.assign(binance('ZZZ'), T0);
    expect(book.assign(binance('ZZZ', { assetClass: 'equity' }), later)?.canonicalId).toBe('equity:ZZZ');
    expect(book.assign(binance('ZZZ'), later)?.canonicalId).toBe('equity:ZZZ');
    expect(book.recordsOf('binance', 'ZZZUSDT')).toMatchObject([
      { canonicalId: 'crypto:ZZZ', validFrom: T0, validTo: later },
      { canonicalId: 'equity:ZZZ', validFrom: later },
    ]);
  });

  test('a coin that was kept under the label of its venue becomes the coin', () => {
    const store = memoryIdentityStore();
    const kept = { canonicalId: 'commodity:PAXG', ticker: 'PAXG', assetClass: 'commodity' } as const;
    const contract = { venue: 'binance', symbol: 'PAXGUSDT' };
    const record = { ...contract, ...kept, basis: 'metadata', validFrom: T0 } as const;
    store.save([{ ...contract, count: 0, before: undefined, after: [record] }]);
    const book = createInstrumentIdentities(store);
    book.assign(binance('PAXG', { assetClass: 'commodity' }), later);
    expect(book.recordsOf('binance', 'PAXGUSDT')).toMatchObject([
      { canonicalId: 'commodity:PAXG', validTo: later },
      { canonicalId: 'crypto:PAXG', basis: 'registry', validFrom: later },
    ]);
  });

  test('an id chosen by price stays when the price wanders off', () => {
    const book = createInstrumentIdentities(memoryIdentityStore());
    expect(book.assign(binance('NEIRO'), T0, asPrice(0.0031))?.canonicalId).toBe('crypto:NEIROETH');
    expect(book.assign(binance('NEIRO'), later, asPrice(0.0029))?.canonicalId).toBe('crypto:NEIROETH');
    expect(book.assign(binance('NEIRO'), later)?.canonicalId).toBe('crypto:NEIROETH');
  });

  test('a gap in the lists does not end an id, a relisting begins a new range', () => {
    const book = createInstrumentIdentities(memoryIdentityStore());
    book.assign(binance('LIT'), T0);
    book.keepOnly('binance', new Set(), later);
    book.assign(binance('LIT'), asMs(later + 1000));
    expect(book.recordsOf('binance', 'LITUSDT')).toMatchObject([{ validFrom: T0 }]);
    expect(book.recordsOf('binance', 'LITUSDT')[0]?.validTo).toBeUndefined();
    book.keepOnly('binance', new Set(), asMs(later + 2000));
    const relisted = asMs(later + 2000 + RELISTING_GAP_MS);
    book.assign(binance('LIT'), relisted);
    expect(book.recordsOf('binance', 'LITUSDT')).toMatchObject([
      { validFrom: T0, validTo: later + 2000 },
      { validFrom: relisted },
    ]);
  });

  test('a symbol listed again within a day: another contract by its listing', () => {
    const book = createInstrumentIdentities(memoryIdentityStore());
    const hoursOn = (hours: number) => asMs(T0 + hours * HOUR_MS);
    const [ended, again, seen] = [hoursOn(5), hoursOn(8), hoursOn(9)] as const;
    book.assign(binance('LIT', { listedAt: asMs(T0 - DAY_MS) }), T0);
    book.keepOnly('binance', new Set(), ended);
    book.assign(binance('LIT', { listedAt: again, assetClass: 'equity' }), seen);
    expect(book.recordsOf('binance', 'LITUSDT')).toMatchObject([
      { canonicalId: 'crypto:LIT', validFrom: T0, validTo: ended },
      { canonicalId: 'equity:LIT', validFrom: again },
    ]);
  });

  test('a symbol listed again unseen: its range ends where the next begins', () => {
    const book = createInstrumentIdentities(memoryIdentityStore());
    book.assign(binance('LIT'), T0);
    const again = asMs(T0 + 9 * DAY_MS);
    for (const day of [10, 11]) book.assign(binance('LIT', { listedAt: again }), asMs(T0 + day * DAY_MS));
    expect(book.recordsOf('binance', 'LITUSDT')).toMatchObject([
      { validFrom: T0, validTo: again },
      { validFrom: again },
    ]);
  });

  test('a listing soon after the first sight, ahead or older: the range stays', () => {
    const book = createInstrumentIdentities(memoryIdentityStore());
    book.assign(binance('LIT'), T0);
    const stated = [T0 + 10 * MINUTE_MS, T0 + 3 * DAY_MS, T0 - DAY_MS];
    for (const listedAt of stated)
      book.assign(binance('LIT', { listedAt: asMs(listedAt) }), asMs(T0 + 2 * DAY_MS));
    expect(book.recordsOf('binance', 'LITUSDT')).toHaveLength(1);
  });

  test('a contract under an old coin name: its range goes on under the new one', () => {
    const store = memoryIdentityStore();
    const kept = { canonicalId: 'crypto:MATIC', ticker: 'MATIC', assetClass: 'crypto' } as const;
    const contract = { venue: 'binance', symbol: 'MATICUSDT' };
    const record = { ...contract, ...kept, basis: 'registry', validFrom: T0 } as const;
    store.save([{ ...contract, count: 0, before: undefined, after: [record] }]);
    const book = createInstrumentIdentities(store);
    expect(book.assign(binance('MATIC'), later)).toMatchObject({ canonicalId: 'crypto:POL', ticker: 'POL' });
    book.commit();
    const expected = [{ canonicalId: 'crypto:POL', ticker: 'POL', validFrom: T0, basis: 'registry' }];
    expect(book.recordsOf('binance', 'MATICUSDT')).toMatchObject(expected);
    expect(createInstrumentIdentities(store).recordsOf('binance', 'MATICUSDT')).toMatchObject(expected);
  });

  test('a contract that the operator keeps under an old name stays there', () => {
    const book = createInstrumentIdentities(memoryIdentityStore());
    book.assign(binance('MATIC'), T0);
    const to = { canonicalId: 'crypto:MATIC', ticker: 'MATIC', assetClass: 'crypto' } as const;
    book.reassign('binance', 'MATICUSDT', { ...to, basis: 'operator' }, later);
    expect(book.assign(binance('MATIC'), later)?.canonicalId).toBe('crypto:MATIC');
  });

  test('a name used again: listed ones are of now, ended ones of then', () => {
    expect(idOf({ base: 'LIT' })).toBe('crypto:LIT');
    expect(idOf({ base: 'HEI' })).toBe('crypto:HEI');
    expect(idOf({ base: 'TON' })).toBe(idOf({ base: 'GRAM' }));
    expect(idOf({ base: 'GAL' })).toBe('crypto:GAL');
  });

  test('the operator outranks every rule', () => {
    const book = createInstrumentIdentities(memoryIdentityStore());
    book.assign(binance('BTC'), T0);
    const to = {
      canonicalId: 'crypto:BTC~2',
      ticker: 'BTC',
      assetClass: 'crypto',
      basis: 'operator',
    } as const;
    book.reassign('binance', 'BTCUSDT', to, later);
    expect(book.assign(binance('BTC', { assetClass: 'crypto' }), later)?.canonicalId).toBe('crypto:BTC~2');
  });
});

describe('identities in LMDB', () => {
  const folders: string[] = [];
  const folder = (): string => {
    const path = mkdtempSync(join(tmpdir(), 'market-store-'));
    folders.push(path);
    return path;
  };
  afterEach(() => {
    for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
  });

  test('a restart gives the same ids and ranges', async () => {
    const path = folder();
    const first = openMarketStore(path);
    const book = createInstrumentIdentities(first.identities);
    book.assign(makeInstrument({ base: 'NEIRO' }), T0, asPrice(0.0031));
    book.assign(makeInstrument({ base: 'ZZZ', assetClass: 'equity' }), T0);
    book.assign(makeInstrument({ base: 'OLD' }), T0);
    book.commit();
    book.keepOnly('binance', new Set(['NEIROUSDT', 'ZZZUSDT']), asMs(T0 + 5));
    book.commit();
    const before = ['NEIRO', 'ZZZ', 'OLD'].map((base) => book.recordsOf('binance', `${base}USDT`));
    await first.close();

    const second = openMarketStore(path);
    const again = createInstrumentIdentities(second.identities);
    expect(['NEIRO', 'ZZZ', 'OLD'].map((base) => again.recordsOf('binance', `${base}USDT`))).toEqual(before);
    expect(again.assign(makeInstrument({ base: 'NEIRO' }), asMs(T0 + 9))?.canonicalId).toBe(
      'crypto:NEIROETH',
    );
    expect(again.assign(makeInstrument({ base: 'ZZZ' }), asMs(T0 + 9))?.canonicalId).toBe('equity:ZZZ');
    await second.close();
  });

  test('discovered venues: numbers begin at 1000, stay, and are given once', async () => {
    const path = folder();
    const first = openMarketStore(path);
    expect(first.sourceIds.idOf('hyperliquid-xyz')).toBe(1000);
    expect(first.sourceIds.idOf('hyperliquid-io')).toBe(1001);
    expect(first.sourceIds.idOf('hyperliquid-xyz')).toBe(1000);
    await first.close();
    const second = openMarketStore(path);
    expect(second.sourceIds.idOf('hyperliquid-mkts')).toBe(1002);
    expect(second.sourceIds.idOf('hyperliquid-io')).toBe(1001);
    await second.close();
  });
});

import { describe, expect, it } from 'vitest';
import { truthOf } from '../../../test/truth/contract-truth.ts';
import { createWorld } from './create-world.ts';
import type { SimListing } from './world.ts';

const world = createWorld(7);
const listing: SimListing = {
  venue: 'test',
  quotes: ['USDT', 'USDC'],
  count: 120,
  classes: ['crypto'],
  intervalHours: () => 8,
  symbol: (base, quote) => `${base}-${quote}`,
};
const symbols = (changes: Partial<SimListing>) =>
  world.contracts({ ...listing, ...changes }).map((contract) => contract.symbol);

describe('contracts of a listing', () => {
  it('lists `count` perpetuals in the first quote and fewer in the second', () => {
    const all = symbols({});
    expect(all.filter((symbol) => symbol.endsWith('-USDT')).length).toBe(120);
    expect(all.filter((symbol) => symbol.endsWith('-USDC')).length).toBe(15);
    expect(new Set(all).size).toBe(all.length);
  });

  it('is ordered by rank and cached', () => {
    const list = world.contracts(listing);
    expect(world.contracts(listing)).toBe(list);
    const ranks = list.filter((contract) => contract.quote === 'USDT').map((contract) => contract.asset.rank);
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  });

  it('obeys include and exclude, by ticker and by id', () => {
    const list = symbols({ count: 10, include: ['FTT', 'crypto:QNT'], exclude: ['ETH', 'crypto:SOL'] });
    expect(list).toEqual(expect.arrayContaining(['FTT-USDT', 'QNT-USDT', 'BTC-USDT']));
    expect(list).not.toContain('ETH-USDT');
    expect(list).not.toContain('SOL-USDT');
    expect(list.filter((symbol) => symbol.endsWith('-USDT')).length).toBe(10);
  });

  it('lists one of two assets with one ticker: the one named by id', () => {
    for (const id of ['index:SPX', 'crypto:SPX6900']) {
      const list = world.contracts({ ...listing, classes: ['crypto', 'index'], include: [id] });
      const spx = list.filter((contract) => contract.asset.ticker === 'SPX' && contract.quote === 'USDT');
      expect(spx.map((contract) => contract.asset.id)).toEqual([id]);
    }
  });

  it('names a low-priced base with its multiplier, with a tick of that price', () => {
    const list = world.contracts({
      ...listing,
      baseName: (ticker, price) =>
        price < 0.0001 ? { base: `k${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
    });
    const pepe = list.find((contract) => contract.symbol === 'kPEPE-USDT');
    expect(pepe).toMatchObject({ base: 'kPEPE', multiplier: 1000, asset: { ticker: 'PEPE' } });
    expect(pepe?.tick).toBeLessThan(1e-5);
    expect(pepe?.tick).toBeGreaterThan(1e-9);
  });

  it('lists out-of-scope, delisted and announced rows if it can spell them', () => {
    const list = world.contracts({
      ...listing,
      dated: (base, quote) => `${base}-${quote}-270326`,
      inverse: (base) => `${base}-USD`,
      delisted: 4,
      prelisting: 3,
    });
    const count = (kind: string, status: string) =>
      list.filter((contract) => contract.kind === kind && contract.status === status).length;
    expect(count('dated', 'live')).toBe(2);
    expect(count('inverse', 'live')).toBe(5);
    expect(count('perp', 'delisted')).toBe(4);
    expect(count('perp', 'prelisting')).toBe(3);
    const inverse = list.find((contract) => contract.kind === 'inverse');
    expect(inverse).toMatchObject({ quote: 'USD', settle: 'BTC' });
  });

  it('varies between venues behind the first ranks', () => {
    const tail = (venue: string) => symbols({ venue }).slice(60, 120).join();
    expect(tail('a')).not.toBe(tail('b'));
  });
});

describe('truth', () => {
  const t = Date.UTC(2026, 10, 1, 3);

  it('states every row of the listing once, and which are live', () => {
    const full = { ...listing, delisted: 4, inverse: (base: string) => `${base}-USD` };
    const truth = truthOf(world, full, t);
    expect(truth.map((row) => row.symbol)).toEqual(world.contracts(full).map((contract) => contract.symbol));
    expect(truth.filter((row) => !row.live).length).toBe(4 + 5);
  });

  it('agrees with itself: USD = base x mark, rate within caps', () => {
    for (const row of truthOf(world, listing, t)) {
      expect(row.openInterestUsd).toBeCloseTo(row.openInterestBase * row.mark, 6);
      expect(row.nextFunding).toBeGreaterThan(t);
      expect(row.tick).toBeLessThan(row.mark / 1000);
    }
  });

  it('calls all names of one underlying by one id', () => {
    const named = { ...listing, classes: ['commodity' as const, 'index' as const], count: 40 };
    const ids = new Map(truthOf(world, named, t).map((row) => [row.ticker, row.canonicalId]));
    expect([ids.get('GOLD'), ids.get('XAU')]).toEqual(['commodity:XAU', 'commodity:XAU']);
    expect([ids.get('US500'), ids.get('SPX')]).toEqual(['index:SPX', 'index:SPX']);
  });

  it('has no interval where the venue states none', () => {
    const { venue, asset } = world.planted.unknownInterval;
    const row = truthOf(world, { ...listing, venue }, t).find((row) => row.assetId === asset.id);
    expect(row?.intervalHours).toBeUndefined();
  });
});

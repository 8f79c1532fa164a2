import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseName } from '../../../src/domain/ticker.ts';
import { DAY_MS, HOUR_MS } from '../../../src/runtime/duration.ts';
import { createWorld } from './create-world.ts';
import type { SimContract, World } from './world.ts';
import { contracts, listing, live, pick, someContract, someTime, T0, world } from './world-fixture.ts';

/** Every value of a contract at a time, as one comparable text. */
function values(of: World, contract: SimContract, t: number): string {
  return JSON.stringify([
    of.index(contract, t),
    of.mark(contract, t),
    of.fundingRate(contract, t),
    of.nextFunding(contract, t),
    of.openInterest(contract, t),
    of.volume24h(contract, t),
    of.book(contract, t, 8),
  ]);
}

describe('a world is a pure function of seed, entity and time', () => {
  it('has other prices and the same rates where it is dearer', () => {
    const dearer = createWorld(7, 1.02);
    const asset = pick(dearer.assets, 0);
    fc.assert(
      fc.property(someTime, (t) => {
        expect(dearer.spot(asset, t) / world.spot(asset, t)).toBeCloseTo(1.02, 12);
        const one = pick(dearer.contracts(listing), 0);
        const same = pick(contracts, 0);
        expect(dearer.mark(one, t) / world.mark(same, t)).toBeCloseTo(1.02, 12);
        expect(dearer.fundingRate(one, t)).toBe(world.fundingRate(same, t));
      }),
    );
  });

  it('gives the same answers in any order, from any instance', () => {
    const asked = fc.array(fc.tuple(someContract, someTime), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(asked, (questions) => {
        const fresh = createWorld(7);
        const again = fresh.contracts({ ...listing });
        const forward = questions.map(([i, t]) => values(world, pick(contracts, i), t));
        const backward = [...questions].reverse().map(([i, t]) => values(fresh, pick(again, i), t));
        expect(backward.reverse()).toEqual(forward);
      }),
      { numRuns: 15 },
    );
  });

  it('answers for a copy of a contract as for the contract', () => {
    const contract = pick(live, 3);
    expect(values(world, { ...contract }, T0)).toBe(values(world, contract, T0));
  });

  it('differs between seeds', () => {
    const other = createWorld(8);
    expect(other.index(pick(other.contracts(listing), 0), T0)).not.toBe(world.index(pick(contracts, 0), T0));
  });

  it('has only finite, positive prices and amounts', () => {
    fc.assert(
      fc.property(someContract, someTime, (i, t) => {
        const contract = pick(contracts, i);
        for (const price of [
          world.index(contract, t),
          world.mark(contract, t),
          world.spot(contract.asset, t),
        ]) {
          expect(price).toBeGreaterThan(0);
          expect(Number.isFinite(price)).toBe(true);
        }
        expect(Math.abs(world.fundingRate(contract, t))).toBeLessThan(0.05);
        expect(world.openInterest(contract, t)).toBeGreaterThan(0);
        expect(world.volume24h(contract, t)).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});

describe('prices', () => {
  const asset = (id: string) =>
    pick(
      world.assets,
      world.assets.findIndex((asset) => asset.id === id),
    );
  const returns = (id: string, step: number, n: number) =>
    Array.from({ length: n }, (_, i) => {
      const t = T0 - i * step;
      return Math.log(world.spot(asset(id), t) / world.spot(asset(id), t - step));
    });
  const deviation = (xs: readonly number[]) => Math.sqrt(xs.reduce((sum, x) => sum + x * x, 0) / xs.length);

  it('correlate between BTC and ETH, and hardly between BTC and EUR', () => {
    const correlation = (a: readonly number[], b: readonly number[]) =>
      a.reduce((sum, x, i) => sum + x * pick(b, i), 0) / a.length / deviation(a) / deviation(b);
    const btc = returns('crypto:BTC', 5 * 60_000, 2000);
    expect(correlation(btc, returns('crypto:ETH', 5 * 60_000, 2000))).toBeGreaterThan(0.5);
    expect(Math.abs(correlation(btc, returns('fx:EURUSD', 5 * 60_000, 2000)))).toBeLessThan(0.2);
  });

  it('are rough down to a second and of the same volatility at every scale', () => {
    const yearly = [1000, 60_000, HOUR_MS].map(
      (step) => deviation(returns('crypto:BTC', step, 2000)) * Math.sqrt((365 * DAY_MS) / step),
    );
    for (const volatility of yearly) {
      expect(volatility).toBeGreaterThan(0.35);
      expect(volatility).toBeLessThan(0.8);
    }
  });

  it('a millisecond later: no price moved by over a tenth of a basis point', () => {
    fc.assert(
      fc.property(someContract, someTime, (i, t) => {
        const contract = pick(contracts, i);
        expect(Math.abs(world.mark(contract, t + 1) / world.mark(contract, t) - 1)).toBeLessThan(1e-5);
      }),
      { numRuns: 500 },
    );
  });

  it('of one asset agree between venues within some basis points', () => {
    const elsewhere = world.contracts({ ...listing, venue: 'okx' });
    for (const contract of live.slice(0, 60)) {
      const twin = elsewhere.find((other) => other.symbol === contract.symbol);
      if (twin === undefined || twin.asset.id !== contract.asset.id) continue;
      expect(Math.abs(world.index(twin, T0) / world.index(contract, T0) - 1)).toBeLessThan(0.002);
      expect(world.index(twin, T0)).not.toBe(world.index(contract, T0));
    }
  });

  it('of names of one underlying move alike', () => {
    const ratio = (t: number) =>
      world.spot(asset('commodity:GOLD'), t) / world.spot(asset('commodity:XAU'), t);
    expect(Math.abs(ratio(T0) - 1)).toBeLessThan(0.01);
    expect(Math.abs(ratio(T0 - 5 * DAY_MS) - 1)).toBeLessThan(0.01);
  });
});

describe('assets', () => {
  it('are over a thousand, with tickers that no multiplier rule misreads', () => {
    expect(world.assets.length).toBe(1150);
    expect(new Set(world.assets.map((asset) => asset.id)).size).toBe(1150);
    for (const { ticker } of world.assets) expect(baseName(ticker)).toEqual({ ticker, multiplier: 1 });
  });

  it('cover every class', () => {
    const classes = new Set(world.assets.map((asset) => asset.assetClass));
    expect([...classes].sort()).toEqual(
      ['commodity', 'crypto', 'equity', 'etf', 'fx', 'index', 'prelaunch'].sort(),
    );
  });
});

describe('planted cases', () => {
  it('holds ticker collisions at unrelated prices', () => {
    const tickers = world.planted.collisions.map((collision) => collision.ticker);
    expect(tickers).toEqual(expect.arrayContaining(['SPX', 'STX', 'BB', 'QNT', 'NEIRO']));
    for (const { assets } of world.planted.collisions) {
      for (const t of [T0, T0 - 20 * DAY_MS]) {
        const a = world.spot(assets[0], t);
        const b = world.spot(assets[1], t);
        expect(Math.max(a, b) / Math.min(a, b)).toBeGreaterThan(2);
      }
    }
  });

  it('has one dead market: no volume, mark frozen while the index moves', () => {
    const { venue, asset } = world.planted.dead;
    const there = world.contracts({ ...listing, venue, count: 60, quotes: ['USDT'] });
    const dead = there.filter((contract) => contract.dead);
    expect(dead.map((contract) => contract.asset.id)).toEqual([asset.id]);
    const contract = pick(dead, 0);
    expect(world.volume24h(contract, T0)).toBe(0);
    expect(world.mark(contract, T0)).toBe(world.mark(contract, T0 - 3 * DAY_MS));
    expect(world.index(contract, T0)).not.toBe(world.index(contract, T0 - DAY_MS));
  });

  it('has one contract without a stated interval', () => {
    const { venue, asset } = world.planted.unknownInterval;
    const there = world.contracts({ ...listing, venue, quotes: ['USDT'] });
    expect(there.filter((contract) => contract.intervalUnknown).map((contract) => contract.asset.id)).toEqual(
      [asset.id],
    );
  });
});

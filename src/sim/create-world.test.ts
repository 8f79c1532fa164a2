import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseName } from '../domain/ticker.ts';
import { DAY_MS, HOUR_MS } from '../runtime/duration.ts';
import { createWorld } from './create-world.ts';
import type { SimContract, SimListing, World } from './world.ts';

const T0 = Date.UTC(2026, 9, 20, 12, 34, 56, 789);

const listing: SimListing = {
  venue: 'binance',
  size: 1,
  quotes: ['USDT', 'USDC'],
  count: 300,
  classes: ['crypto', 'equity', 'index', 'commodity', 'fx', 'etf', 'prelaunch'],
  baseName: (ticker, price) =>
    price < 0.0001 ? { base: `1000${ticker}`, multiplier: 1000 } : { base: ticker, multiplier: 1 },
  contractSize: (_ticker, price) => (price > 1000 ? 0.001 : 1),
  intervalHours: (rank) => (rank < 40 ? 8 : rank % 3 === 0 ? 1 : 4),
  symbol: (base, quote) => base + quote,
  dated: (base, quote) => `${base}${quote}_260327`,
  inverse: (base) => `${base}USD_PERP`,
  delisted: 7,
  prelisting: 2,
};

const world = createWorld(7);
const contracts = world.contracts(listing);
const live = contracts.filter((contract) => contract.kind === 'perp' && contract.status === 'live');

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

const someContract = fc.integer({ min: 0, max: contracts.length - 1 });
const someTime = fc.integer({ min: T0 - 30 * DAY_MS, max: T0 + 30 * DAY_MS });

function pick<T>(list: readonly T[], i: number): T {
  const found = list[i];
  if (found === undefined) throw new Error(`nothing at ${i}`);
  return found;
}

describe('a world is a pure function of seed, entity and time', () => {
  it('has other prices and the same rates where it is dearer', () => {
    const dearer = createWorld(7, 1.02);
    const asset = pick(dearer.assets, 0);
    fc.assert(
      fc.property(someTime, (t) => {
        expect(dearer.spot(asset, t) / world.spot(asset, t)).toBeCloseTo(1.02, 12);
        const [one, same] = [pick(dearer.contracts(listing), 0), pick(contracts, 0)];
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
      world.assets.findIndex((one) => one.id === id),
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

  it('are continuous: a millisecond moves no price by more than a tenth of a basis point', () => {
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

describe('funding', () => {
  it('settles at the estimate of the settlement time', () => {
    for (const contract of live) {
      const settlement = world.nextFunding(contract, T0);
      expect(world.settledRate(contract, settlement)).toBe(world.fundingRate(contract, settlement - 1));
      expect(
        Math.abs(world.settledRate(contract, settlement) - world.fundingRate(contract, settlement - 5)),
      ).toBeLessThan(2e-8);
    }
  });

  it('lies on the grid of the interval, strictly in the future', () => {
    fc.assert(
      fc.property(someContract, someTime, (i, t) => {
        const contract = pick(contracts, i);
        const period = contract.intervalHours * HOUR_MS;
        const next = world.nextFunding(contract, t);
        expect(next % period).toBe(0);
        expect(next).toBeGreaterThan(t);
        expect(next - t).toBeLessThanOrEqual(period);
        expect(world.nextFunding(contract, next)).toBe(next + period);
      }),
    );
  });

  it('follows the premium of its period, scaled to the interval', () => {
    let agreeing = 0;
    let judged = 0;
    for (const contract of live) {
      const settlement = world.nextFunding(contract, T0);
      const start = settlement - contract.intervalHours * HOUR_MS;
      const samples = Array.from({ length: 120 }, (_, i) => start + ((i + 0.5) / 120) * (settlement - start));
      const mean =
        samples.reduce((sum, t) => sum + world.mark(contract, t) / world.index(contract, t) - 1, 0) /
        samples.length;
      const rate8h = (world.settledRate(contract, settlement) * 8) / contract.intervalHours;
      if (Math.abs(mean) > 0.0004 && Math.abs(mean) < 0.015) {
        judged += 1;
        if (Math.sign(rate8h) === Math.sign(mean) && Math.abs(rate8h - mean) < 0.0003) agreeing += 1;
      }
    }
    expect(judged).toBeGreaterThan(20);
    expect(agreeing / judged).toBeGreaterThan(0.95);
  });

  it('moves inside the period', () => {
    const moving = live.filter((contract) => {
      const start = world.nextFunding(contract, T0) - contract.intervalHours * HOUR_MS;
      return world.fundingRate(contract, start + 60_000) !== world.fundingRate(contract, start + 3_000_000);
    });
    expect(moving.length).toBeGreaterThan(live.length / 3);
  });
});

describe('activity', () => {
  it('adds up: two halves of a day are the day', () => {
    for (const contract of live.slice(0, 50)) {
      const whole = world.volumeBetween(contract, T0 - DAY_MS, T0);
      const halves =
        world.volumeBetween(contract, T0 - DAY_MS, T0 - DAY_MS / 2) +
        world.volumeBetween(contract, T0 - DAY_MS / 2, T0);
      const lots = 3 * contract.lot * contract.contractSize * contract.multiplier;
      expect(Math.abs(whole - halves)).toBeLessThan(lots + whole * 1e-9);
      expect(world.volume24h(contract, T0)).toBe(whole);
    }
  });

  it('is heavy in the first ranks and larger on large venues', () => {
    const usd = (contract: SimContract) => world.openInterest(contract, T0) * world.mark(contract, T0);
    const total = (list: readonly SimContract[]) => list.reduce((sum, contract) => sum + usd(contract), 0);
    expect(total(live.slice(0, 10))).toBeGreaterThan(total(live.slice(100)));
    const { size: _, ...small } = listing;
    const others = world.contracts({ ...small, venue: 'hibachi' });
    expect(total(live)).toBeGreaterThan(5 * total(others.filter((contract) => contract.status === 'live')));
  });

  it('has bursts of volume on some days, and none of them is endless', () => {
    const ratios = live.map((contract) => {
      const days = Array.from({ length: 20 }, (_, i) => world.volume24h(contract, T0 - i * DAY_MS)).sort(
        (a, b) => a - b,
      );
      return pick(days, 19) / pick(days, 10);
    });
    const bursting = ratios.filter((ratio) => ratio > 2.5).length;
    expect(bursting).toBeGreaterThan(live.length * 0.1);
    expect(bursting).toBeLessThan(live.length * 0.7);
    expect(Math.max(...ratios)).toBeLessThan(25);
  });

  it('lies on the lot grid', () => {
    for (const contract of contracts) {
      const unit = contract.contractSize * contract.multiplier * contract.lot;
      const lots = world.openInterest(contract, T0) / unit;
      expect(Math.abs(lots - Math.round(lots))).toBeLessThan(1e-4);
    }
  });
});

describe('books', () => {
  it('are never crossed, ordered, on the tick and lot grids, around the mark', () => {
    fc.assert(
      fc.property(someContract, someTime, (i, t) => {
        const contract = pick(contracts, i);
        const { bids, asks } = world.book(contract, t, 20);
        expect(bids.length).toBe(20);
        expect(asks.length).toBe(20);
        const [bestBid] = pick(bids, 0);
        const [bestAsk] = pick(asks, 0);
        expect(bestBid).toBeLessThan(bestAsk);
        expect(Math.abs((bestBid + bestAsk) / 2 / world.mark(contract, t) - 1)).toBeLessThan(0.02);
        for (const side of [bids, asks]) {
          for (const [k, [price, size]] of side.entries()) {
            const previous = side[k - 1]?.[0];
            if (previous !== undefined) expect(price > previous).toBe(side === asks);
            const ticks = (price * contract.multiplier) / contract.tick;
            expect(Math.abs(ticks - Math.round(ticks))).toBeLessThan(1e-4);
            const lots = size / contract.multiplier / contract.contractSize / contract.lot;
            expect(Math.abs(lots - Math.round(lots))).toBeLessThan(1e-4);
            expect(size).toBeGreaterThan(0);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('keep most levels from one second to the next', () => {
    const kept = live.slice(0, 100).map((contract) => {
      const before = new Set(world.book(contract, T0, 20).bids.map(([price, size]) => `${price}:${size}`));
      const after = world.book(contract, T0 + 1000, 20).bids.map(([price, size]) => `${price}:${size}`);
      return after.filter((level) => before.has(level)).length / 20;
    });
    expect(kept.reduce((sum, share) => sum + share, 0) / kept.length).toBeGreaterThan(0.5);
  });
});

describe('assets', () => {
  it('are over a thousand, with plain tickers that no multiplier rule reads as another', () => {
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
        const [a, b] = [world.spot(assets[0], t), world.spot(assets[1], t)];
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

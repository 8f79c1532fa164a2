import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/runtime/duration.ts';
import type { SimContract } from './world.ts';
import { contracts, listing, live, pick, someContract, someTime, T0, world } from './world-fixture.ts';

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

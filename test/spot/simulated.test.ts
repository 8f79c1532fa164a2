import { createWorld } from '@perpmeter/sim/create-world';
import { borrowRateAt, spotMid, spotPairs } from '@perpmeter/sim/spot/spot-pair';
import { SIM_VENUES } from '@perpmeter/sim/venues/index';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SPOT_VENUES } from '../../src/modules/spot/registry.ts';
import { SPOT_PLANS } from '../../src/modules/spot-market/plan/plans.ts';
import { readAnswer, readerOf } from '../../src/modules/spot-market/plan/read-answer.ts';
import { HOUR_MS } from '../../src/runtime/duration.ts';
import { answerOf, readSimulated, SIMULATED, SPOT_AT } from './simulated-spot.ts';

describe('the calls of the spot side', () => {
  it('every spot venue: planned, and its answers are read', () => {
    expect(SPOT_PLANS.map(({ venue }) => venue)).toEqual(SPOT_VENUES.map(({ id }) => id));
    const unread = SPOT_PLANS.flatMap((plan) => {
      const { list, tickers, borrow, book } = plan;
      const coin = borrow?.ofCoin?.('BTC');
      const calls = [
        list,
        tickers,
        borrow?.list,
        coin,
        book.of({ symbol: 'BTC_USDT', altId: '2048' }),
      ].flatMap((call) => call ?? []);
      return calls.filter((call) => readerOf(plan, call) === undefined).map(({ path }) => path);
    });
    expect(unread).toEqual([]);
  });
});

describe('simulated spot sides', () => {
  it.each(SIMULATED.map((plan) => [plan.venue, plan] as const))('%s: read without a fault', (_, plan) => {
    const { list, tickers, borrow } = readSimulated(plan);
    const expected = new Set([
      'leveraged_token',
      'tokenized_share',
      'unknown_token',
      'perpetual',
      'not_listed',
      // Lists and tickers of perpetuals in the same answer.
      'dated',
      'placeholder',
    ]);
    const faults = [list, tickers, borrow].flatMap(({ rejects }) => rejects);
    expect(faults.filter(({ reason }) => !expected.has(reason))).toEqual([]);
    expect(list.markets.length).toBeGreaterThan(2);
    expect(tickers.tickers.length).toBe(list.markets.length);
    if (plan.borrow !== undefined) expect(borrow.borrow.length).toBeGreaterThan(0);
  });

  it.each(SIMULATED)('$venue: its books, at the touch', (plan) => {
    const { list, tickers } = readSimulated(plan);
    const markets = new Map(list.markets.map((market) => [market.symbol, market]));
    for (const market of list.markets.slice(0, 4)) {
      const { symbol } = market;
      const call = plan.book.of(market);
      const read = readAnswer(plan, call, answerOf(plan, call, createWorld(1)), markets);
      expect(read?.rejects).toEqual([]);
      const found = read?.books.find((each) => each.symbol === symbol);
      expect(Math.min(found?.bids.length ?? 0, found?.asks.length ?? 0), symbol).toBeGreaterThan(15);
      const { bestBid, bestAsk } = tickers.tickers.find((each) => each.symbol === symbol) ?? {};
      if (bestBid !== undefined) expect(found?.bids[0]?.[0]).toBe(bestBid);
      if (bestAsk !== undefined) expect(found?.asks[0]?.[0]).toBe(bestAsk);
      const bid = (found?.bids ?? []).map(([price]) => price);
      const ask = (found?.asks ?? []).map(([price]) => price);
      expect(bid).toEqual(bid?.toSorted((a, b) => b - a));
      expect(ask).toEqual(ask?.toSorted((a, b) => a - b));
    }
  });

  it('the basis of a perpetual: returns to its premium over a day', () => {
    const world = createWorld(1);
    const binance = SIM_VENUES.find(({ id }) => id === 'binance');
    const pairs = binance === undefined ? [] : spotPairs(world, binance).slice(0, 10);
    expect(pairs).toHaveLength(10);
    for (const pair of pairs) {
      const gaps = Array.from({ length: 24 * 12 }, (_, step) => {
        const at = SPOT_AT + (step * HOUR_MS) / 12;
        return spotMid(world, pair, at) / world.spot(pair.asset, at) - 1;
      });
      const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
      expect(Math.abs(mean)).toBeLessThan(0.0001);
      expect(Math.max(...gaps.map(Math.abs))).toBeLessThan(0.001);
    }
  });

  it('more demand to be short: a rate that is never lower', () => {
    const funding = fc.double({ min: -0.02, max: 0.02, noNaN: true });
    fc.assert(
      fc.property(funding, funding, fc.integer(), (a, b, key) => {
        const lower = Math.min(a, b);
        const higher = Math.max(a, b);
        expect(borrowRateAt(lower, key, SPOT_AT)).toBeGreaterThanOrEqual(borrowRateAt(higher, key, SPOT_AT));
        expect(borrowRateAt(0.001, key, SPOT_AT)).toBeGreaterThan(0);
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import {
  AT,
  contract,
  expectBook,
  expectRefusal,
  read,
  world,
} from '../../../test/venues/simulated-reads.ts';
import { HOUR_MS } from '../../runtime/duration.ts';

describe('simulated paradex', () => {
  it('states the book of kPEPE-USD-PERP over REST', () => {
    expectBook('paradex', 'kPEPE-USD-PERP', '/v1/orderbook/kPEPE-USD-PERP?depth=20');
  });

  it('states observations, and candles of mark and index', () => {
    const symbol = 'kPEPE-USD-PERP';
    const listed = contract('paradex', symbol);
    const { funding } = read('paradex', `/v1/funding/data?market=${symbol}&page_size=10`);
    expect(funding).toHaveLength(10);
    for (const { time, rate, observed } of funding) {
      expect(rate).toBeCloseTo(world.fundingRate(listed, time), 12);
      expect(observed).toBe(true);
    }
    const from = `symbol=${symbol}&resolution=60&start_at=${AT - 5 * HOUR_MS}&end_at=${AT}`;
    const marks = read('paradex', `/v1/markets/klines?${from}&price_kind=mark`).history;
    const indices = read('paradex', `/v1/markets/klines?${from}&price_kind=underlying`).history;
    expect(marks).toHaveLength(5);
    for (const { time, markPrice } of marks) {
      expect(Number(markPrice) / world.mark(listed, time)).toBeCloseTo(1, 4);
    }
    for (const { time, indexPrice } of indices) {
      expect(Number(indexPrice) / world.index(listed, time)).toBeCloseTo(1, 4);
    }
  });

  it.each([
    ['/v1/markets/summary?market=NOPE', 404],
    ['/v1/account', 401],
  ])('refuses %s in an error body', (path, status) => expectRefusal('paradex', path, status));
});

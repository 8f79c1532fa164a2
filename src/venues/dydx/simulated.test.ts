import { describe, expect, it } from 'vitest';
import {
  contract,
  expectBook,
  expectRefusal,
  expectSettled,
  hours,
  read,
  world,
} from '../../../test/venues/simulated-reads.ts';

describe('simulated dydx', () => {
  it('states the book of BTC-USD over REST', () => {
    expectBook('dydx', 'BTC-USD', '/v4/orderbooks/perpetualMarket/BTC-USD');
  });

  it('states the rates charged', () => {
    expectSettled('dydx', 'SOL-USD', '/v4/historicalFunding/SOL-USD?limit=24');
  });

  it('states open interest by candles', () => {
    const { history } = read('dydx', '/v4/candles/perpetualMarkets/SOL-USD?resolution=1HOUR&limit=5');
    const listed = contract('dydx', 'SOL-USD');
    expect(history.map((p) => p.time)).toEqual(hours(5).reverse());
    for (const { time, openInterestBase } of history) {
      expect(openInterestBase).toBeCloseTo(world.openInterest(listed, time), 2);
    }
  });

  it('refuses an unknown market in an error body', () => {
    expectRefusal('dydx', '/v4/orderbooks/perpetualMarket/NOPE-USD', 404);
  });
});

import { describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../runtime/duration.ts';
import { makeMarket } from './market-fixture.ts';

const QUOTE = { symbol: 'BTCUSDT', mark: 100 };

function makeEdgex() {
  const fixture = makeMarket();
  fixture.list('edgex', ['BTC']);
  const stamp = fixture.now() - 1000;
  const state = (rate: number, rateSettled?: boolean, venueTime?: number) =>
    fixture.quote('edgex', {
      ...QUOTE,
      rate,
      ...(rateSettled !== undefined && { rateSettled }),
      ...(venueTime !== undefined && { venueTime }),
    });
  const row = () => fixture.market.view.row('edgex', 'crypto:BTC');
  return { fixture, state, row, stamp };
}

describe('a rate that was last charged', () => {
  test('stated as such: the row says so', () => {
    const { state, row, stamp } = makeEdgex();
    state(1e-4, true, stamp);
    expect(row()).toMatchObject({ fundingRate: 1e-4, rateSettled: true });
  });

  test('a coming rate under the same stamp: the mark is gone', () => {
    const { state, row, stamp } = makeEdgex();
    state(1e-4, true, stamp);
    state(2e-4, false, stamp);
    expect(row()?.fundingRate).toBe(2e-4);
    expect(row()?.rateSettled).toBeUndefined();
  });

  test('a later rate that says nothing of it: the mark is gone', () => {
    const { fixture, state, row, stamp } = makeEdgex();
    state(1e-4, true, stamp);
    fixture.pass(MINUTE_MS);
    state(1e-4);
    expect(row()?.fundingRate).toBe(1e-4);
    expect(row()?.rateSettled).toBeUndefined();
  });

  test('displaced by a younger rate: that one is not marked', () => {
    const { state, row, stamp } = makeEdgex();
    state(2e-4);
    state(1e-4, true, stamp - MINUTE_MS);
    expect(row()?.fundingRate).toBe(2e-4);
    expect(row()?.rateSettled).toBeUndefined();
  });
});

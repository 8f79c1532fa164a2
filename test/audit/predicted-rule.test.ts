import { describe, expect, it } from 'vitest';
import { asHours, asMs, asRate } from '../../src/domain/units.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { judged, T0 } from './judged-venue.ts';

const SHOWN = asRate(0.0001);
const OTHER = asRate(0.01);

describe('a payment elsewhere than the rate shown right before', () => {
  it('is an incident of the settlement that was near', () => {
    const { state, pay, predictions, lasting } = judged('A');
    const next = asMs(T0 + 2 * MINUTE_MS);
    state(0, () => ({ fundingRate: SHOWN, fundingIntervalHours: asHours(8), nextFundingTime: next }));
    pay([{ symbol: 'A', time: next, rate: OTHER }]);
    expect(lasting()).toEqual(['predicted A']);
    expect(predictions()).toMatchObject({ compared: 1, elsewhere: 1 });
  });

  it('is none where neither the settlement nor the interval is known', () => {
    const { state, pay, predictions, lasting } = judged('A');
    state(0, () => ({ fundingRate: SHOWN }));
    pay([{ symbol: 'A', time: asMs(T0 - 5 * HOUR_MS), rate: OTHER }]);
    expect(lasting()).toEqual([]);
    expect(predictions()).toMatchObject({ compared: 0 });
  });
});

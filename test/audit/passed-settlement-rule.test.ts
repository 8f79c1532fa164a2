import { describe, expect, it } from 'vitest';
import { asMs, asPrice } from '../../src/domain/units.ts';
import { MINUTE_MS } from '../../src/runtime/duration.ts';
import { judged, T0 } from './judged-venue.ts';

const NEXT = { nextFundingTime: asMs(T0 + 5 * MINUTE_MS) };

/** Rules that a contract breaks that is stated every minute for so long, its next settlement with the first statement. */
function broken(minutes: number, further: { readonly nextFundingTime?: typeof NEXT.nextFundingTime }) {
  const { state, lasting } = judged('A');
  state(0, () => ({ markPrice: asPrice(100), ...NEXT }));
  for (let minute = 1; minute <= minutes; minute++)
    state(MINUTE_MS, () => ({ markPrice: asPrice(100 + minute / 100), ...further }));
  return lasting();
}

describe('a next settlement that has passed', () => {
  it('is an incident ten minutes later where it is named all the same', () => {
    expect(broken(15, NEXT)).toEqual([]);
    expect(broken(16, NEXT)).toEqual(['next_passed A']);
  });

  it('other values stated since: none', () => {
    expect(broken(30, {})).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { asHours, asMs, asPrice } from '../../src/domain/units.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { judged, T0 } from './judged-venue.ts';

/** The next settlement of an interval of eight hours. */
const SETTLES = Date.UTC(2026, 9, 20, 16);

/** A contract that states its interval and next settlement, at times of the test's choice. */
function contract(hours: number) {
  const { state, lasting } = judged('A');
  let now = T0;
  const say = (at: number, next: number): void => {
    const patch = { fundingIntervalHours: asHours(hours), nextFundingTime: asMs(next) };
    state(at - now, () => ({ markPrice: asPrice(100), ...patch }));
    now = at;
  };
  /** Every minute. */
  const goOn = (minutes: number, next: number): void => {
    for (let i = 0; i < minutes; i++) say(now + MINUTE_MS, next);
  };
  return { say, goOn, isBroken: () => lasting().includes('interval A') };
}

describe('the rule of intervals', () => {
  it('a silence longer than settlements are seen: the rule holds', () => {
    const { say, goOn, isBroken } = contract(8);
    say(T0, SETTLES);
    say(SETTLES - 10 * MINUTE_MS, SETTLES);
    say(SETTLES + 45 * MINUTE_MS, SETTLES + 8 * HOUR_MS);
    goOn(30, SETTLES + 8 * HOUR_MS);
    expect(isBroken()).toBe(false);
  });

  it('our clock behind that of the venue: the rule holds', () => {
    const { say, goOn, isBroken } = contract(8);
    say(T0, SETTLES);
    say(SETTLES - 700, SETTLES + 8 * HOUR_MS);
    goOn(30, SETTLES + 8 * HOUR_MS);
    expect(isBroken()).toBe(false);
  });

  it('a wrong interval: broken, also after such a silence', () => {
    const { say, goOn, isBroken } = contract(1);
    say(T0, SETTLES);
    say(SETTLES + 45 * MINUTE_MS, SETTLES + 8 * HOUR_MS);
    const settled = SETTLES + 8 * HOUR_MS;
    say(settled - MINUTE_MS, settled);
    goOn(12, settled + 8 * HOUR_MS);
    expect(isBroken()).toBe(true);
  });

  it('a settlement that is put off: broken long before its time', () => {
    const { say, goOn, isBroken } = contract(8);
    say(SETTLES - 70 * MINUTE_MS, SETTLES);
    goOn(12, SETTLES + 8 * HOUR_MS);
    expect(isBroken()).toBe(true);
  });
});

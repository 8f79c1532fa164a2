import { describe, expect, it } from 'vitest';
import { asHours, asMs, asPrice, asRate, asUsd } from '../../src/domain/units.ts';
import { HELD_MS } from '../../src/modules/audit/breaches.ts';
import { frozenRate } from '../../src/modules/audit/rules/frozen.ts';
import { judgeStep, type Quantity } from '../../src/modules/audit/rules/jump.ts';
import { missingSettlement, settledElsewhere } from '../../src/modules/audit/rules/settled.ts';
import { contradictedInterval } from '../../src/modules/audit/rules/settlement-time.ts';
import { unusualTurnover, usualTurnover } from '../../src/modules/audit/rules/turnover.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { falseAlarms, findInjectedFaults } from '../soak/audit-run.ts';
import { judged, T0 } from './judged-venue.ts';

const step = (quantity: Quantity, before: number, after: number, rest = {}) =>
  judgeStep(quantity, { before, after, beforeAt: T0, at: T0 + MINUTE_MS, usd: 1e6, ...rest });

describe('a step', () => {
  it.each([
    ['price', 100, 149, false],
    ['price', 100, 10_000, true],
    ['price', 100, 60, true],
    ['rate', 0.0001, 0.01, true],
    ['rate', 0.000123, -0.000123, true],
    ['rate', 0.000123, 0.000246, true],
    ['rate', 0.0001, -0.0001, false],
    ['rate', 0.0001, 0.0002, false],
    ['rate', 0.0001, 0.001, false],
    ['rate', 0.0001, 0.00013, false],
    ['rate', 0.0001, 0.0004, false],
    ['rate', 1e-6, 1e-5, false],
    ['amount', 100, 200, true],
    ['amount', 100, 170, false],
    ['amount', 100, 700, false],
    ['amount', 100, 9, true],
    ['amount', 100, 640_000, true],
    ['amount', 0, 640_000, false],
  ] as const)('of a %s from %d to %d breaks the rule: %s', (quantity, before, after, breaks) => {
    expect(step(quantity, before, after) !== undefined).toBe(breaks);
  });

  it('over a gap, at a settlement or of a few orders proves nothing', () => {
    expect(step('price', 100, 10_000, { at: T0 + 16 * MINUTE_MS })).toBeUndefined();
    const hour = T0 + 40 * MINUTE_MS;
    expect(step('rate', 0.0001, 0.0002, { beforeAt: hour - MINUTE_MS, at: hour })).toBeUndefined();
    expect(step('amount', 100, 200, { usd: 900_000 })).toBeUndefined();
    expect(step('amount', 100, 2000, { usd: 90_000 })).toBeUndefined();
  });
});

describe('rules of one contract', () => {
  it('an interval is the time between settlements', () => {
    const next = T0 + HOUR_MS;
    expect(contradictedInterval({ hours: 8, next, last: next - 8 * HOUR_MS }, T0)).toBeUndefined();
    expect(contradictedInterval({ hours: 1, next, last: next - 8 * HOUR_MS }, T0)).toBe(8);
    expect(contradictedInterval({ hours: 1, next: Number.NaN, last: T0 - 1 }, T0)).toBeUndefined();
  });

  it('a rate of many digits does not stand while the mark moves', () => {
    const still = {
      at: T0,
      rate: 0.00012345,
      rateChangedAt: T0 - 16 * HOUR_MS,
      hours: 8,
      mark: 103,
      markThen: 100,
    };
    expect(frozenRate(still)).toBe(16);
    expect(frozenRate({ ...still, rate: 0.0001 })).toBeUndefined();
    expect(frozenRate({ ...still, mark: 101 })).toBeUndefined();
    expect(frozenRate({ ...still, rateChangedAt: T0 - 15 * HOUR_MS })).toBeUndefined();
  });

  it('a rate is paid as it was shown, and every settlement is told', () => {
    expect(settledElsewhere(0.0001, 0.00035)).toBe(false);
    expect(settledElsewhere(0.0001, -0.0004)).toBe(true);
    const points = [0, 8, 24].map((h) => ({
      symbol: 'A',
      time: asMs(T0 + h * HOUR_MS),
      rate: asRate(0),
      intervalHours: asHours(8),
    }));
    expect(missingSettlement(points, 8)).toBe(T0 + 16 * HOUR_MS);
    expect(missingSettlement(points.slice(0, 2), 8)).toBeUndefined();
  });

  it('a settlement of a former interval: missing from no list', () => {
    const at = (...hours: readonly number[]) =>
      hours.map((h) => ({ symbol: 'A', time: asMs(T0 + h * HOUR_MS), rate: asRate(0) }));
    // Every eight hours until 24, then every four.
    expect(missingSettlement(at(0, 8, 16, 24, 28, 32), 4)).toBeUndefined();
    expect(missingSettlement(at(0, 8, 16, 20, 28), 4)).toBe(T0 + 24 * HOUR_MS);
  });

  it('volume over open interest is near what the venue shows', () => {
    const usual = usualTurnover(Array.from({ length: 30 }, (_, i) => (i % 5) / 5));
    if (usual === undefined) throw new Error('too few');
    expect(unusualTurnover(Math.log(60), usual)).toBeUndefined();
    expect(unusualTurnover(Math.log(1000), usual)).toBeGreaterThan(100);
    expect(usualTurnover([1, 2, 3])).toBeUndefined();
  });
});

describe('contracts of one venue', () => {
  const still = (volumeUsd: number) => () => ({ markPrice: asPrice(100), volume24hUsd: asUsd(volumeUsd) });

  it('are frozen one by one if traded, as a venue if all are', () => {
    const { state, lasting } = judged('A', 'B', 'C');
    const volumes = [4_000_000, 1_000_000, 100_000];
    const patchOf = (i: number) => still(volumes[i] ?? 0)();
    state(0, patchOf);
    for (let minute = 1; minute <= 15; minute++) state(MINUTE_MS, patchOf);
    expect(lasting().sort()).toEqual(['frozen *', 'frozen A']);
    for (let minute = 16; minute <= 30; minute++) state(MINUTE_MS, patchOf);
    expect(lasting().sort()).toEqual(['frozen *', 'frozen A', 'frozen B']);
    for (let minute = 31; minute <= 300; minute++) state(MINUTE_MS, patchOf);
    expect(lasting()).not.toContain('frozen C');
  });

  it('are not a frozen venue as long as one of them moves', () => {
    const { state, lasting } = judged('A', 'B', 'C');
    for (let minute = 0; minute <= 60; minute++)
      state(minute === 0 ? 0 : MINUTE_MS, (i) => still(i === 2 ? 500_000 + minute : 900_000)());
    expect(lasting().sort()).toEqual(['frozen A', 'frozen B']);
  });

  it('three standing rates become opposite: another sign; two: not', () => {
    const { state, lasting } = judged('A', 'B', 'C', 'D');
    const signs = (list: readonly number[]) => (i: number) => ({
      markPrice: asPrice(100),
      fundingRate: asRate(0.0001 * (list[i] ?? 1)),
    });
    state(0, signs([1, 1, 1, 1]));
    state(MINUTE_MS, signs([-1, 1, 1, -1]));
    expect(lasting()).toEqual([]);
    state(MINUTE_MS, signs([-1, -1, 1, -1]));
    expect(lasting().sort()).toEqual(['jump A', 'jump B', 'jump D']);
  });
});

describe('a row that breaks a rule', () => {
  it('is suspect as soon as it shows the value', () => {
    const { state, market } = judged('BTC');
    for (const mark of [100, 101, 10_000]) {
      state(500, () => ({ markPrice: asPrice(mark) }));
      expect(market.view.rows()).toMatchObject([{ markPrice: mark, comparable: mark < 1000 }]);
    }
    expect(market.view.rows()[0]).toMatchObject({ suspectReason: 'jump' });
  });

  it('is suspect and not compared until the rule has held for ten minutes', () => {
    const { state, market, incidents } = judged('BTC');
    const quote = (mark: number, afterMs: number) => {
      state(afterMs, () => ({ markPrice: asPrice(mark) }));
      market.sweep();
    };
    const row = () => market.view.rows()[0];
    quote(100, 0);
    expect(row()).toMatchObject({ comparable: true });
    quote(10_000, 10_000);
    expect(row()).toMatchObject({ comparable: false, uncomparableReason: 'suspect', suspectReason: 'jump' });
    expect([...incidents.lasting()]).toMatchObject([{ rule: 'jump', field: 'mark_price', contract: 'BTC' }]);
    quote(101, 10_000);
    expect(row()).toMatchObject({ uncomparableReason: 'suspect' });
    quote(102, HELD_MS);
    // A broken rule is looked at again with the next sweep.
    quote(102, 10_000);
    expect(row()).toMatchObject({ comparable: true, suspectReason: undefined });
    expect([...incidents.lasting()]).toEqual([]);
  });
});

describe('faults in the payloads of simulated venues', () => {
  it('are found within minutes, and what is right raises no alarm', () => {
    const kinds = [
      'interest x 2',
      'percent for fraction',
      'wrong sign',
      'swapped contracts',
      'retired host',
    ] as const;
    for (const venue of ['bitget', 'hyperliquid']) {
      for (const [kind, outcome] of findInjectedFaults(venue, kinds, 7)) {
        expect(outcome, `${venue} ${kind}`).toMatchObject({ minutes: 1 });
      }
    }
    // Paradex names no settlement that an interval could be held against.
    expect(findInjectedFaults('paradex', ['wrong interval'], 3).get('wrong interval')).toMatchObject({
      minutes: 1,
      rules: ['interval'],
    });
    expect(falseAlarms(7, 20, ['okx', 'bybit', 'gate'])).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asMs } from '../../../domain/units.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../runtime/duration.ts';
import { compareReadings, type Reading, toleranceOf } from './compare-readings.ts';
import { COMPARED_FIELDS, FIELD_RULES } from './field-rules.ts';
import { HourlyVolatility } from './hourly-volatility.ts';

const runs = (numRuns: number) => ({ numRuns, seed: 23 });
const NOW = Date.UTC(2026, 10, 20, 13, 20);
const AMOUNTS = COMPARED_FIELDS.filter((field) => FIELD_RULES[field].measure === 'relative');
const amount = fc.double({ min: 1e-8, max: 1e12, noNaN: true });
const age = fc.integer({ min: 0, max: DAY_MS });
const volatility = fc.double({ min: 0, max: 10, noNaN: true });
const at = (value: number, ageMs = 0): Reading => ({ value, at: asMs(NOW - ageMs) });

describe('compareReadings', () => {
  it('agrees on equal values of every field, whatever their ages', () => {
    const field = fc.constantFrom(...COMPARED_FIELDS.filter((name) => name !== 'next_funding_time'));
    fc.assert(
      fc.property(field, fc.double({ min: -1e12, max: 1e12, noNaN: true }), age, (field, x, old) => {
        expect(compareReadings(field, at(x), at(x, old))).toMatchObject({ difference: 0, agrees: true });
      }),
      runs(200),
    );
  });

  it('values a factor of two apart: they disagree at any age or volatility', () => {
    const factor = fc.double({ min: 2, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(
        fc.constantFrom(...AMOUNTS),
        amount,
        factor,
        age,
        volatility,
        (field, x, by, old, moves) => {
          expect(compareReadings(field, at(x), at(x * by, old), moves)?.agrees).toBe(false);
          expect(compareReadings(field, at(x * by, old), at(x), moves)?.agrees).toBe(false);
        },
      ),
      runs(500),
    );
  });

  it('rates of another sign, in percent or doubled: disagree in a minute', () => {
    const rate = fc.double({ min: 4e-5, max: 0.05, noNaN: true });
    fc.assert(
      fc.property(
        rate,
        fc.constantFrom(-1, 100, 2, 0.5),
        fc.integer({ min: 0, max: MINUTE_MS }),
        volatility,
        (x, by, old, moves) => {
          expect(compareReadings('funding_rate', at(x), at(x * by, old), moves)?.agrees).toBe(false);
        },
      ),
      runs(500),
    );
  });

  it('a small rate that moved as usual: agrees; one that moved more: not', () => {
    const old = 14 * MINUTE_MS;
    const deviation = 6e-4 * Math.sqrt(old / HOUR_MS);
    const moved = at(4e-5 - deviation, old);
    expect(compareReadings('funding_rate', at(4e-5), moved, 6e-4)?.agrees).toBe(true);
    expect(compareReadings('funding_rate', at(4e-5), moved, 6e-5)?.agrees).toBe(false);
    expect(compareReadings('funding_rate', at(4e-5), { ...moved, at: asMs(NOW) }, 6e-4)?.agrees).toBe(false);
  });

  it('a price without an observed move: more tolerance than for a slow one', () => {
    const of = (volatility?: number) => toleranceOf('mark_price', at(100), at(100, HOUR_MS), volatility);
    expect(of()).toBeGreaterThan(of(0.0001));
  });

  it('disagrees on zero beside an amount, and agrees on two zeros', () => {
    fc.assert(
      fc.property(fc.constantFrom(...AMOUNTS), amount, age, (field, x, old) => {
        expect(compareReadings(field, at(x), at(0, old))).toMatchObject({ difference: 1, agrees: false });
        expect(compareReadings(field, at(0), at(0, old))).toMatchObject({ difference: 0, agrees: true });
      }),
      runs(100),
    );
  });

  it('takes the same difference and tolerance whichever way is shown', () => {
    fc.assert(
      fc.property(fc.constantFrom(...AMOUNTS), amount, amount, age, volatility, (field, x, y, old, moves) => {
        const one = compareReadings(field, at(x), at(y, old), moves);
        const other = compareReadings(field, at(y, old), at(x), moves);
        expect(one).toMatchObject({ difference: other?.difference, tolerance: other?.tolerance });
      }),
      runs(200),
    );
  });

  it('each minute between readings: more tolerance, up to the field limit', () => {
    fc.assert(
      fc.property(fc.constantFrom(...AMOUNTS), amount, age, age, volatility, (field, x, a, b, moves) => {
        const near = Math.min(a, b);
        const far = Math.max(a, b);
        const of = (old: number) => toleranceOf(field, at(x), at(x, old), moves);
        expect(of(near)).toBeLessThanOrEqual(of(far));
        expect(of(far)).toBeLessThanOrEqual(FIELD_RULES[field].base + FIELD_RULES[field].most);
      }),
      runs(200),
    );
  });

  it('settlement times: compared to the minute, but not close to one', () => {
    const due = at(NOW + HOUR_MS);
    expect(compareReadings('next_funding_time', due, at(NOW + HOUR_MS + 30_000))?.agrees).toBe(true);
    expect(compareReadings('next_funding_time', due, at(NOW + 2 * HOUR_MS))?.agrees).toBe(false);
    expect(compareReadings('next_funding_time', at(NOW + MINUTE_MS), at(NOW + HOUR_MS))).toBeUndefined();
    expect(compareReadings('next_funding_time', due, at(NOW - MINUTE_MS))).toBeUndefined();
  });

  it('allows no difference of intervals', () => {
    expect(compareReadings('funding_interval_hours', at(8), at(4, DAY_MS))?.agrees).toBe(false);
  });
});

describe('HourlyVolatility', () => {
  it('finds the volatility of a random walk from looks a minute apart', () => {
    const volatilities = new HourlyVolatility();
    let price = 100;
    let seed = 7;
    for (let minute = 0; minute < 600; minute++) {
      seed = (seed * 16807) % 2147483647;
      price *= Math.exp((seed % 2 === 0 ? 1 : -1) * 0.01 * Math.sqrt(1 / 60));
      volatilities.observe(
        'a',
        (field) => (field === 'mark_price' ? price : undefined),
        asMs(NOW + minute * MINUTE_MS),
      );
    }
    expect(volatilities.of('a', 'mark_price')).toBeCloseTo(0.01, 3);
    expect(volatilities.of('a', 'index_price')).toBeUndefined();
    expect(volatilities.of('b', 'mark_price')).toBeUndefined();
  });

  it('a contract not seen for a day: forgotten; no look counts twice', () => {
    const volatilities = new HourlyVolatility();
    const look = (value: number, ms: number) => volatilities.observe('a', () => value, asMs(NOW + ms));
    look(100, 0);
    look(120, 0);
    expect(volatilities.of('a', 'mark_price')).toBeUndefined();
    look(100, MINUTE_MS);
    expect(volatilities.of('a', 'mark_price')).toBe(0);
    volatilities.forget(asMs(NOW + 2 * DAY_MS));
    expect(volatilities.of('a', 'mark_price')).toBeUndefined();
  });
});

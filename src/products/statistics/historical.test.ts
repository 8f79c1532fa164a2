import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rate8h } from '../../domain/rate.ts';
import type { FundingPayment } from '../../domain/series.ts';
import { asHours, asMs, asRate } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import { episodesAbove, heldFrom } from './episodes.ts';
import { BPS_8H } from './history-window.ts';
import { hourlyRates, hourlySpread, lastHours } from './hourly-rates.ts';
import { runsAbove } from './spread-history.ts';
import { describe as described, halfLifeHours, percentileOf, quantile, sortedKnown } from './statistics.ts';

const T0 = asMs(Date.UTC(2026, 9, 1));
const hour = (n: number) => asMs(T0 + n * HOUR_MS);

function paid(at: number, rate: number, hours: number | undefined = 8): FundingPayment {
  const contract = { canonicalId: 'crypto:BTC', venue: 'binance', symbol: 'BTCUSDT', listedAt: asMs(0) };
  return { ...contract, at: hour(at), rate: asRate(rate), hours };
}

describe('settled payments as hours', () => {
  it('payments: spread over their hours, others unknown', () => {
    const { rates, paidAt, known } = hourlyRates([paid(8, 0.0008), paid(12, 0.0004, 4)], T0, hour(14));
    expect([...rates]).toEqual([...Array.from({ length: 12 }, () => 0.0001), Number.NaN, Number.NaN]);
    expect([paidAt[0], paidAt[7], paidAt[8], known]).toEqual([8, 8, 12, 12]);
  });

  it('leave out a payment of which nobody says how long it is for', () => {
    expect(hourlyRates([{ ...paid(8, 1), hours: undefined }], T0, hour(8)).known).toBe(0);
  });

  it('add up payments within an hour', () => {
    const { rates } = hourlyRates([paid(1, 0.5, 0.5), { ...paid(1, 0.25, 0.5) }], T0, hour(1));
    expect(rates[0]).toBe(0.75);
  });

  it('know a spread only where both legs are known, once both have been paid', () => {
    const short = hourlyRates([paid(8, 0.0008)], T0, hour(10));
    const long = hourlyRates([paid(4, 0.0004, 4)], T0, hour(10));
    const { rates, paidAt, known } = hourlySpread(short, long);
    expect([known, rates[0], rates[4]]).toEqual([4, 0, Number.NaN]);
    expect(paidAt[0]).toBe(8);
    expect(lastHours(hourlySpread(short, short), 4)).toMatchObject({ from: hour(6), known: 2 });
  });

  it('sum to what was paid, whatever the intervals', () => {
    const intervals = fc.array(
      fc.record({
        hours: fc.constantFrom(1, 2, 4, 8),
        rate: fc.double({ min: -0.01, max: 0.01, noNaN: true }),
      }),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(intervals, (list) => {
        let at = 0;
        const payments = list.map(({ hours, rate }) => {
          at += hours;
          return paid(at, rate, hours);
        });
        const { rates, known } = hourlyRates(payments, T0, hour(at));
        expect(known).toBe(at);
        const sum = rates.reduce((total, rate) => total + rate, 0);
        expect(sum).toBeCloseTo(
          list.reduce((total, { rate }) => total + rate, 0),
          12,
        );
      }),
    );
  });
});

describe('statistics of hours', () => {
  const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 60 });

  it('agree with counting one by one', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: -50, max: 50 }), (list, value) => {
        const sorted = sortedKnown(Float64Array.from([...list, Number.NaN]));
        const below = list.filter((entry) => entry < value).length;
        const equal = list.filter((entry) => entry === value).length;
        expect(percentileOf(sorted, value)).toBeCloseTo((100 * (below + equal / 2)) / list.length, 9);
        const { mean, median, deviation, positive } = described(sorted);
        const expected = list.reduce((sum, entry) => sum + entry, 0) / list.length;
        expect(mean).toBeCloseTo(expected, 9);
        expect(positive).toBe(list.filter((entry) => entry > 0).length / list.length);
        const ascending = [...list].sort((a, b) => a - b);
        const half = (list.length - 1) / 2;
        const middle = ((ascending[Math.floor(half)] ?? 0) + (ascending[Math.ceil(half)] ?? 0)) / 2;
        expect(median).toBeCloseTo(middle, 9);
        const squares = list.reduce((sum, entry) => sum + (entry - expected) ** 2, 0);
        if (list.length === 1) expect(deviation).toBeUndefined();
        else expect(deviation).toBeCloseTo(Math.sqrt(squares / (list.length - 1)), 9);
      }),
    );
    expect(quantile([], 0.5)).toBeUndefined();
  });

  it('a constant rate or spread: ranked in the middle', () => {
    const rate = fc.integer({ min: -5000, max: 5000 }).map((millionths) => millionths / 1e6);
    const hours = fc.constantFrom(1, 2, 4, 8);
    fc.assert(
      fc.property(rate, hours, rate, hours, (short, shortHours, long, longHours) => {
        const of = (value: number, each: number) =>
          hourlyRates(
            Array.from({ length: 48 / each }, (_, k) => paid((k + 1) * each, value, each)),
            T0,
            hour(48),
          );
        const past = hourlySpread(of(short, shortHours), of(long, longHours));
        const bps = (value: number, each: number) => Number(rate8h(asRate(value), asHours(each))) * 10_000;
        const present = (bps(short, shortHours) - bps(long, longHours)) / BPS_8H;
        expect(percentileOf(sortedKnown(past.rates), present)).toBe(50);
        expect(episodesAbove(past.rates, present)).toEqual([
          { start: 0, hours: 48, began: false, ended: false },
        ]);
      }),
    );
  });

  it('have the half-life of a deviation that halves every other step', () => {
    // Of an autoregression with phi = 1/sqrt(2) without noise, half is gone after two steps of eight hours.
    const phi = Math.SQRT1_2;
    const steps: number[] = [];
    for (let k = 0; k < 400; k++) steps.push((k % 40 === 0 ? 1 : (steps[k - 1] ?? 0) * phi) as number);
    const rates = Float64Array.from(steps.flatMap((rate) => Array.from({ length: 8 }, () => rate)));
    const life = halfLifeHours({ from: T0, rates, paidAt: new Int32Array(), known: 0 }, 8);
    expect(life).toBeGreaterThan(10);
    expect(life).toBeLessThan(16);
    const flat = { from: T0, rates: new Float64Array(800), paidAt: new Int32Array(), known: 800 };
    expect(halfLifeHours(flat, 8)).toBeUndefined();
    const swinging = rates.map((_, at) => (Math.floor(at / 8) % 2 === 0 ? 1 : -1));
    expect(halfLifeHours({ ...flat, rates: swinging }, 8)).toBeUndefined();
  });
});

describe('episodes of a wide spread', () => {
  it('runs of hours: no length beside unknown hours or the present', () => {
    const rates = Float64Array.from([0, 2, 3, 0, 2, Number.NaN, 5, 5]);
    expect(episodesAbove(rates, 2)).toEqual([
      { start: 1, hours: 2, began: true, ended: true },
      { start: 4, hours: 1, began: true, ended: false },
      { start: 6, hours: 2, began: false, ended: false },
    ]);
  });

  it('cut off at the start of what is known: no known length', () => {
    const rates = Float64Array.from([2, 2, 0, 2, 0, Number.NaN, 2, 0, 2]);
    const past = { from: T0, rates, paidAt: new Int32Array(9), known: 8 };
    const { earlier, lengths, presentHours } = runsAbove(past, 2 * BPS_8H);
    expect([earlier.length, [...lengths], presentHours]).toEqual([3, [1], 1]);
    const whole = { ...past, rates: Float64Array.from([2, 2, 2]), known: 3 };
    expect(runsAbove(whole, 2 * BPS_8H).presentHours).toBeUndefined();
  });

  it('are entered once they had been settled, and paid from then on', () => {
    const rates = Float64Array.from([1, 1, 2, 2, 3, 3, Number.NaN]);
    const paidAt = Int32Array.from([2, 2, 4, 4, 6, 6, -1]);
    const spread = { from: T0, rates, paidAt, known: 6 };
    const [first] = episodesAbove(rates, 2);
    // Settled at hour 4: hours 4 and 5 are paid, 2 and 3 had been paid before.
    expect(heldFrom(spread, first === undefined ? [] : [first], 2)).toEqual([6]);
    expect(heldFrom(spread, first === undefined ? [] : [first], 3)).toEqual([]);
    expect(heldFrom(spread, first === undefined ? [] : [first], 9)).toEqual([]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CarryTerms, carryFigures } from './carry-figures.ts';

const KNOWN: CarryTerms = {
  direction: 'long_spot',
  rate8h: 0.0004,
  borrowHourly: 0.000002,
  spotFeeBps: 10,
  perpFeeBps: 5,
  spotSlippageBps: 1.5,
  perpSlippageBps: 0.5,
  levelBps: 3,
  usualBps: undefined,
  holdingDays: 10,
};

describe('the figures of a pair', () => {
  it('long spot: funding is earned, a gap that closes is no gain', () => {
    const figures = carryFigures(KNOWN);
    // 2 x 15 of fees and 2 x 2 of slippage against 4 bps each eight hours.
    expect(figures.roundTripFeeBps).toBe(30);
    expect(figures.gapCostBps).toBe(-3);
    expect(figures.allInCostBps).toBe(34);
    expect(figures.income8hBps).toBeCloseTo(4, 9);
    expect(figures.daysToBreakeven).toBeCloseTo(34 / 12, 9);
    expect(figures.cost8hBps).toBeCloseTo(34 / 30, 9);
    expect(figures.netAprPct).toBeCloseTo(4 * 10.95 - 0.34 * 36.5, 9);
    expect(figures.allInNetAprPct).toBeCloseTo(figures.netAprPct ?? 0, 9);
    expect(figures.breakevenBorrowAprPct).toBeUndefined();
  });

  it('a gap against the pair: costs what it closes by', () => {
    const figures = carryFigures({ ...KNOWN, levelBps: -6 });
    expect(figures.allInCostBps).toBe(40);
    expect(figures.netAprPct).toBeCloseTo(4 * 10.95 - 0.34 * 36.5, 9);
    expect(figures.allInNetAprPct).toBeCloseTo(4 * 10.95 - 0.4 * 36.5, 9);
  });

  it('a usual gap: the cost is counted from it', () => {
    const wide = carryFigures({ ...KNOWN, usualBps: 10 });
    expect(wide.gapCostBps).toBe(7);
    expect(wide.allInCostBps).toBe(41);
    expect(wide.allInNetAprPct).toBeCloseTo((wide.netAprPct ?? 0) - 0.07 * 36.5, 9);
    expect(carryFigures({ ...KNOWN, usualBps: -10 }).allInCostBps).toBe(34);
  });

  it('short spot: funding against longs less the borrowed coin', () => {
    const figures = carryFigures({ ...KNOWN, direction: 'short_spot', rate8h: -0.0004 });
    expect(figures.funding8hBps).toBeCloseTo(4, 9);
    expect(figures.income8hBps).toBeCloseTo(4 - 0.16, 9);
    expect(figures.breakevenBorrowAprPct).toBeCloseTo(4 * 10.95 - 0.34 * 36.5, 9);
  });

  it('a borrow rate at the break-even: nets nothing', () => {
    const terms = { ...KNOWN, direction: 'short_spot' as const, rate8h: -0.0004 };
    const { breakevenBorrowAprPct = Number.NaN } = carryFigures(terms);
    const borrowHourly = breakevenBorrowAprPct / 100 / 8760;
    expect(carryFigures({ ...terms, borrowHourly }).allInNetAprPct).toBeCloseTo(0, 9);
  });

  it('an input that is not known: what rests on it alone is not either', () => {
    const unknown = (field: keyof CarryTerms, more: Partial<CarryTerms> = {}): readonly string[] =>
      Object.entries(carryFigures({ ...KNOWN, ...more, [field]: undefined }))
        .filter(([, value]) => value === undefined)
        .map(([name]) => name);
    const perYear = ['daysToBreakeven', 'netAprPct', 'allInNetAprPct', 'breakevenBorrowAprPct'];
    const costs = ['allInCostBps', 'cost8hBps', ...perYear];
    expect(unknown('rate8h')).toEqual(['funding8hBps', 'income8hBps', ...perYear]);
    expect(unknown('spotFeeBps')).toEqual(['roundTripFeeBps', ...costs]);
    expect(unknown('perpSlippageBps')).toEqual(['entrySlippageBps', ...costs]);
    expect(unknown('levelBps')).toEqual([
      'gapCostBps',
      'allInCostBps',
      'cost8hBps',
      'daysToBreakeven',
      'allInNetAprPct',
      'breakevenBorrowAprPct',
    ]);
    expect(unknown('borrowHourly', { direction: 'short_spot' })).toEqual([
      'income8hBps',
      'daysToBreakeven',
      'netAprPct',
      'allInNetAprPct',
    ]);
    expect(unknown('borrowHourly')).toEqual(['breakevenBorrowAprPct']);
  });

  it('income that is not above zero: never breaks even', () => {
    const bps = fc.double({ min: -1e-3, max: 0, noNaN: true });
    fc.assert(
      fc.property(bps, (rate8h) => {
        const { daysToBreakeven, allInNetAprPct = 0 } = carryFigures({ ...KNOWN, rate8h });
        expect(daysToBreakeven).toBeUndefined();
        expect(allInNetAprPct).toBeLessThan(0);
      }),
    );
  });

  it('held until it breaks even: nets nothing', () => {
    const positive = fc.double({ min: 1e-5, max: 1e-2, noNaN: true });
    const level = fc.double({ min: -200, max: 200, noNaN: true });
    fc.assert(
      fc.property(positive, level, (rate8h, levelBps) => {
        const { daysToBreakeven = Number.NaN } = carryFigures({ ...KNOWN, rate8h, levelBps });
        const held = carryFigures({ ...KNOWN, rate8h, levelBps, holdingDays: daysToBreakeven });
        expect(held.allInNetAprPct).toBeCloseTo(0, 6);
      }),
    );
  });
});
